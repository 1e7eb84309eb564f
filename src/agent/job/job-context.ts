import type { JobLog } from './job-log.js';

/** Settings that every program of a job runs with. */
export interface JobContext {
  log: JobLog;
  /** The job's whole environment. */
  env: Readonly<Record<string, string>>;
  /** Aborted: the job is to end. */
  cancel: AbortSignal;
  gracePeriodMs: number;
}

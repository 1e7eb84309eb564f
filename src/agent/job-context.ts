import type { JobLog } from './job-log.js';

/** What running programs for a job needs, whichever program. */
export interface JobContext {
  log: JobLog;
  /** The job's whole environment. */
  env: Readonly<Record<string, string>>;
  /** Aborted: the job is to end. */
  cancel: AbortSignal;
  gracePeriodMs: number;
}

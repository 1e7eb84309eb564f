import type { JobLog } from './job-log.js';
import type { TerminalKind } from './terminal.js';

/** Settings that every program of a job runs with. */
export interface JobContext {
  log: JobLog;
  /** The job's whole environment. Hooks and the job's own commands change it for the programs after them. */
  env: Record<string, string>;
  /** Folder in which the job's next program runs; a hook may move on to another. */
  cwd: string;
  /** Private folder of the job, deleted at its end. */
  folder: string;
  /** Aborted: the job is to end. */
  cancel: AbortSignal;
  gracePeriodMs: number;
  /** Finds what opens pseudo-terminals on this machine; null where nothing does. */
  findTerminal: () => Promise<TerminalKind | null>;
}

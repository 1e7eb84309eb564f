import type { BuildRow, JobRow } from '../../entities/database.js';

/** What the program shows and decides by of a job, wherever it is built. */
export type FollowedJob = Pick<
  JobRow,
  | 'id'
  | 'type'
  | 'state'
  | 'passed'
  | 'softFailed'
  | 'retried'
  | 'label'
  | 'command'
  | 'priority'
  | 'agentQueryRules'
  | 'exitStatus'
  | 'brokenReason'
  | 'parallelGroupIndex'
  | 'parallelGroupTotal'
  | 'matrix'
  | 'startedAt'
  | 'finishedAt'
> & {
  /** The step as the pipeline file has it; of a step that another upload brought only what is known. */
  definition: unknown;
  /** Bytes of log so far; null where only reading tells. */
  logSize: number | null;
};

/** A build of the working tree, on a server in this process or on another. */
export interface FollowedBuild {
  /** Base URL of the agent protocol. */
  endpoint: string;
  agentToken: string;
  /** Where people look at the build; null where there is no such page. */
  page: string | null;
  /** Milliseconds between two looks at the build. */
  everyMs: number;
  /** The build and its jobs in pipeline order. */
  read(): Promise<{ state: BuildRow['state']; jobs: FollowedJob[] }>;
  /** Bytes of a job's log from an offset on. */
  readLog(job: FollowedJob, start: number): AsyncGenerator<Uint8Array>;
  /** Whether this machine runs the job. */
  isOurs(job: FollowedJob): boolean;
  unblock(job: FollowedJob, fields: Record<string, string | string[]>): Promise<void>;
  cancel(): Promise<void>;
  close(): Promise<void>;
}

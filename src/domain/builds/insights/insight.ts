/** What builds and jobs are grouped by; days and hours are those of UTC in which builds were created. */
export const insightGroups = ['pipeline', 'queue', 'step', 'branch', 'day', 'hour'] as const;
export type InsightGroup = (typeof insightGroups)[number];

/**
 * Figures of one pipeline, branch, queue, step, day or hour. Durations and failures are those of builds; where rows are
 * queues or steps, or only jobs of one are counted, those of jobs. Times are seconds; null where nothing has them.
 */
export interface Insight {
  /** Slug, branch, key of the queue, slug of the pipeline and name of the step, or when the day or hour begins. */
  key: string;
  /** Builds that have ended; where jobs are counted those with one. */
  builds: number;
  /** Those that failed; where jobs are counted those in which one failed, retries aside. */
  failed: number;
  durationP50: number | null;
  durationP90: number | null;
  durationP95: number | null;
  /** Time for which command jobs waited for an agent. */
  waitP50: number | null;
  waitP90: number | null;
  waitP95: number | null;
  /** Jobs that were run again. */
  retried: number;
  /** Seconds for which agents ran the jobs, all together. */
  agentSeconds: number;
  /** What these seconds cost at the prices that their queues have now; null where none of these has one. */
  cost: number | null;
  /** Bytes of the logs of the jobs, those that have been deleted aside. */
  logBytes: number;
  /** Bytes of the artifacts of the jobs that came to the storage. */
  artifactBytes: number;
}

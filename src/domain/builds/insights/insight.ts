/** What builds and jobs are grouped by. */
export const insightGroups = ['pipeline', 'queue', 'step', 'branch'] as const;
export type InsightGroup = (typeof insightGroups)[number];

/**
 * Figures of one pipeline, branch, queue or step. Of a pipeline or branch durations and failures are those of builds,
 * of a queue or step those of jobs. Times are seconds; null where nothing has them.
 */
export interface Insight {
  /** Slug, branch, key of the queue, or slug of the pipeline and name of the step. */
  key: string;
  /** Builds that have ended; of a queue or step those with a job there. */
  builds: number;
  /** Those that failed; of a queue or step those in which a job there failed, retries aside. */
  failed: number;
  durationP50: number | null;
  durationP95: number | null;
  /** Time for which command jobs waited for an agent. */
  waitP50: number | null;
  waitP95: number | null;
  /** Jobs that were run again. */
  retried: number;
  /** Seconds for which agents ran the jobs, all together. */
  agentSeconds: number;
}

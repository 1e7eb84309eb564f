import { Problem } from '../../problem.js';

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

const dayMs = 86_400_000;
const usualDays = 7;
/** Longest time that figures are of. */
export const mostInsightDays = 92;

/** The range of a request, a week up to now where it names none. Throws `invalid` for one that is empty or too long. */
export function insightRange(
  from: Date | null | undefined,
  to: Date | null | undefined,
  now: Date,
): { from: Date; to: Date } {
  const end = to ?? now;
  const begin = from ?? new Date(end.getTime() - usualDays * dayMs);
  const length = end.getTime() - begin.getTime();
  if (length <= 0) throw new Problem('invalid', 'from must be before to');
  if (length > mostInsightDays * dayMs)
    throw new Problem('invalid', `from and to are at most ${mostInsightDays} days apart`);
  return { from: begin, to: end };
}

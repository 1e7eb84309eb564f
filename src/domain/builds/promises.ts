import { isTerminal, type JobState } from './job-state.js';

/** The facts of a job that decide whether the retries of its build are a path. */
export interface RetriedJob {
  id: string;
  state: JobState;
  retried: boolean;
  retriedInJobId: string | null;
  retrySourceId: string | null;
  retriesCount: number | null;
}

/** How the columns of a job about its retries contradict the other jobs of its build. */
export type RetryProblem =
  /** Another job is its retry, or none is. */
  | { kind: 'wrong retry'; job: RetriedJob; retryId: string | null }
  | { kind: 'retried twice'; job: RetriedJob; retryIds: string[] }
  | { kind: 'retried while it runs'; job: RetriedJob }
  | { kind: 'unknown source'; job: RetriedJob }
  | { kind: 'circle'; job: RetriedJob }
  | { kind: 'wrong count'; job: RetriedJob; count: number };

/**
 * What contradicts that a job is retried at most once, so that retries form a path (I14), and that each job counts the
 * ones before it (I12). `jobs` are all jobs of a build.
 */
export function retryProblems(jobs: readonly RetriedJob[]): RetryProblem[] {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const retries = new Map<string, string[]>();
  for (const { id, retrySourceId } of jobs)
    if (retrySourceId !== null) retries.set(retrySourceId, [...(retries.get(retrySourceId) ?? []), id]);
  return jobs.flatMap((job): RetryProblem[] => {
    const [retryId = null, ...others] = retries.get(job.id) ?? [];
    if (others.length > 0) return [{ kind: 'retried twice', job, retryIds: retries.get(job.id) ?? [] }];
    if (job.retriedInJobId !== retryId || job.retried !== (retryId !== null))
      return [{ kind: 'wrong retry', job, retryId }];
    if (job.retried && !isTerminal(job.state)) return [{ kind: 'retried while it runs', job }];
    const before = sourcesOf(job, byId);
    if (typeof before === 'string') return [{ kind: before, job }];
    return (job.retriesCount ?? 0) === before ? [] : [{ kind: 'wrong count', job, count: before }];
  });
}

/** The number of jobs before one in its path. */
function sourcesOf(job: RetriedJob, byId: ReadonlyMap<string, RetriedJob>): number | 'unknown source' | 'circle' {
  let count = 0;
  for (let at = job; at.retrySourceId !== null; count += 1) {
    const source = byId.get(at.retrySourceId);
    if (!source) return 'unknown source';
    if (count > byId.size) return 'circle';
    at = source;
  }
  return count;
}

/** Times in the order in which they should have come to pass; null for those that have not. */
export type Times<Name extends string> = readonly (readonly [Name, Date | null])[];

/**
 * The least changes after which no time is before an earlier one (I20): each as late as the one before it. Empty where
 * all durations are positive or zero.
 */
export function timesOutOfOrder<Name extends string>(times: Times<Name>): Partial<Record<Name, Date>> {
  const changes: Partial<Record<Name, Date>> = {};
  let latest = new Date(-8.64e15);
  for (const [name, time] of times) {
    if (time === null) continue;
    if (time < latest) changes[name] = latest;
    else latest = time;
  }
  return changes;
}

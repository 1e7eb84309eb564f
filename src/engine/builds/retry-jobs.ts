import type { Context } from '../../request/context.js';
import type { BuildRow, JobRow } from '../../entities/database.js';
import { advanceBuild } from './advance-build.js';
import { insertRetry } from './insert-retry.js';
import { manualRetryPolicy } from './manual-retry-policy.js';
import { retryRoomProblem } from './stored-sums.js';

/** What became of jobs that were to be retried: how many were, or why none could be. */
export type RetriedJobs = { build: BuildRow; count: number } | { problem: string };

/**
 * Makes a new attempt of each of these jobs of a locked build that may be retried by hand, as one change of the build.
 * A step that forbids retries excludes its own jobs; a problem of the build is one of all of them.
 */
export async function retryJobs(context: Context, build: BuildRow, jobs: readonly JobRow[]): Promise<RetriedJobs> {
  const problemOf = await manualRetryPolicy(context, build);
  const retried: JobRow[] = [];
  for (const job of jobs) {
    const problem = await problemOf(job);
    if (problem?.kind === 'build') return { problem: problem.message };
    if (problem === null) retried.push(job);
  }
  const full = await retryRoomProblem(context, build.id, retried);
  if (full !== null) return { problem: full };
  for (const job of retried) await insertRetry(context, job, { type: 'manual', ruleUses: job.retryRuleUses });
  const advanced = retried.length > 0 ? await advanceBuild(context, build, { reason: 'retry' }) : build;
  return { build: advanced, count: retried.length };
}

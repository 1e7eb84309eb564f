import type { Context } from '../../request/context.js';
import type { JobRow, NewRow } from '../../entities/database.js';
import { changeJobs, noteJob } from '../state/jobs.js';

export interface RetryFacts {
  type: 'automatic' | 'manual';
  /** Number of retries that each automatic rule has caused in the chain, including this one. */
  ruleUses: number[];
}

/**
 * Columns that a retry resets: everything that records what happened to the old attempt. All other columns are the
 * job's configuration, which a retry copies; a new column about what happens to a job must be added here.
 */
export const freshAttempt = {
  state: 'pending',
  passed: false,
  softFailed: false,
  exitStatus: null,
  signal: null,
  signalReason: null,
  brokenReason: null,
  promisedExitStatus: null,
  promisedExitStatusAt: null,
  agentId: null,
  attempt: 0,
  uploadCount: null,
  retried: false,
  retriedInJobId: null,
  retriedById: null,
  triggeredBuildId: null,
  unblockedById: null,
  canceledById: null,
  logSize: 0,
  chunksFailedCount: 0,
  runnableAt: null,
  assignedAt: null,
  acceptedAt: null,
  startedAt: null,
  finishedAt: null,
  expiredAt: null,
  canceledAt: null,
  unblockedAt: null,
  deadlineAt: null,
  logDeletedAt: null,
  logExpiredAt: null,
  logCompactedAt: null,
} satisfies Partial<NewRow<'jobs'>>;

/**
 * Inserts a new attempt of a job into its build, with the same configuration, in state `pending`: the caller advances
 * the build. The old job stays, marked as retried. Returns the new row; throws where the job was retried before, which
 * the lock on the build rules out: a job has at most one retry, so that retries form a chain.
 */
export async function insertRetry(context: Context, job: JobRow, retry: RetryFacts): Promise<JobRow> {
  const id = context.newId();
  const marks = { retried: true, retriedInJobId: id, retriedById: context.userId };
  await changeJobs(context, [job.id], marks, { retried: false });
  const inserted = await context.db
    .insertInto('jobs')
    .values({
      ...job,
      ...freshAttempt,
      id,
      timeoutInMinutes:
        job.initialTimeoutInMinutes === null ? job.timeoutInMinutes : job.initialTimeoutInMinutes || null,
      initialTimeoutInMinutes: null,
      retrySourceId: job.id,
      retriesCount: (job.retriesCount ?? 0) + 1,
      retryType: retry.type,
      retryRuleUses: retry.ruleUses,
      createdAt: context.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  noteJob(context, job, 'retried', retry.type);
  return inserted;
}

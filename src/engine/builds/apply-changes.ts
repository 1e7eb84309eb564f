import type { Context } from '../../request/context.js';
import type { JobChange } from '../../domain/builds/schedule-facts.js';
import { type JobColumns, type JobMove, moveJobs, moveNewJobs } from '../state/jobs.js';
import type { LoadedBuild, SchedulableJob } from './load-facts.js';

/**
 * Applies the scheduler's changes: one guarded change for each group of jobs that make the same move. Every job
 * must still be in the state the decision was made on, which the build's lock guarantees.
 */
export async function applyJobChanges(
  context: Context,
  loaded: LoadedBuild,
  changes: readonly JobChange[],
): Promise<void> {
  await queueJobChanges(context, loaded, changes);
  await context.flush();
}

/** The same, written together with what the transaction changes next. */
export async function queueJobChanges(
  context: Context,
  { build, jobs }: LoadedBuild,
  changes: readonly JobChange[],
): Promise<void> {
  const { id: buildId, organizationId } = build;
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const moves = changes.map((change) => {
    const job = byId.get(change.id);
    if (!job) throw new Error(`the scheduler changed the unknown job ${change.id}`);
    return moveOf({ ...job, buildId, organizationId }, change);
  });
  await moveJobs(context, moves);
}

/** Applies the scheduler's changes to rows about to be inserted. */
export async function recordInsertedJobs(
  context: Context,
  rows: readonly (SchedulableJob & JobMove['job'] & JobColumns)[],
  changes: ReadonlyMap<string, JobChange>,
): Promise<void> {
  const moves = rows.flatMap((row) => {
    const change = changes.get(row.id);
    return change ? [moveOf(row, change)] : [];
  });
  await moveNewJobs(context, moves);
}

function moveOf<Job extends JobMove['job']>(job: Job, change: JobChange): JobMove<Job> {
  const { event, to, reason, softFailed } = change;
  return {
    job,
    event,
    reason,
    set: {
      ...(to === 'finished' ? { passed: event === 'pass' } : {}),
      ...(softFailed === undefined ? {} : { softFailed }),
    },
  };
}

import type { Context } from '../../request/context.js';
import { agentHeldStates, isActive } from '../../domain/builds/job-state.js';
import type { BuildRow, JobRow } from '../../entities/database.js';
import { endJob } from '../builds/end-job.js';
import { lockJob, type LockedJob } from '../builds/lock-job.js';
import { moveJob } from '../state/jobs.js';

/**
 * Locks the build of the job that an agent holds and returns both; null for none. Lock the agent's row only after this.
 */
export async function lockJobOfAgent(context: Context, agentId: string): Promise<LockedJob | null> {
  const job = await heldBy(context, agentId);
  const locked = job && (await lockJob(context, job));
  return locked && locked.job.agentId === agentId && isActive(locked.job.state) ? locked : null;
}

/** Returns the job that an agent holds, without a lock; null for none. */
export async function heldBy(context: Context, agentId: string): Promise<JobRow | null> {
  const row = await context.db
    .selectFrom('jobs')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('state', 'in', agentHeldStates)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Returns an offered, accepted or reserved job to the queue. The caller has locked its build and read the job under
 * that lock. False if the job has started or ended.
 */
export async function requeueJob(context: Context, job: JobRow, reason: string): Promise<boolean> {
  const { kind } = await moveJob(context, job, 'requeue', { reason, where: { attempt: job.attempt } });
  return kind === 'moved';
}

/**
 * Releases a job from an agent that can or will not continue it: a job that never started returns to the queue, a
 * running one ends with exit status -1, one that is being stopped ends as stopped.
 */
export async function releaseFromAgent(
  context: Context,
  { job, build }: { job: JobRow; build: BuildRow },
  reason: string,
): Promise<void> {
  if (await requeueJob(context, job, reason)) return;
  await endJob(context, build, job, { event: 'lose_agent', exitStatus: job.startedAt === null ? null : -1, reason });
}

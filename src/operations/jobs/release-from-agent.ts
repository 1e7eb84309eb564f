import type { Context } from '../../context.js';
import type { BuildRow, JobRow } from '../../entities/database.js';
import { endJob } from '../scheduling/end-job.js';
import { lockJob, type LockedJob } from '../scheduling/lock-job.js';
import { requeueJob } from './requeue-job.js';

/** The job that an agent holds, with its build locked; null for none. Lock the agent's row only after this. */
export async function lockJobOfAgent(context: Context, agentId: string): Promise<LockedJob | null> {
  const held = await heldBy(context, agentId);
  const locked = held && (await lockJob(context, held));
  return locked && locked.job.agentId === agentId && isHeld(locked.job) ? locked : null;
}

/** The job that an agent holds, without a lock. */
export async function heldBy(context: Context, agentId: string): Promise<JobRow | null> {
  const row = await context.db.selectFrom('jobs').selectAll().where('agentId', '=', agentId).where('state', 'in', [...heldStates]).executeTakeFirst();
  return row ?? null;
}

export const heldStates = ['assigned', 'accepted', 'running', 'canceling', 'timing_out'] as const;
const isHeld = ({ state }: JobRow) => (heldStates as readonly string[]).includes(state);

/**
 * Takes a job from an agent that can or will not go on with it: one that never started goes back to the queue, one
 * that ran ends with exit status -1 (rest-facts 4.6), one that was told to stop is stopped.
 */
export async function releaseFromAgent(context: Context, { job, build }: { job: JobRow; build: BuildRow }, reason: string): Promise<void> {
  if (await requeueJob(context, job, reason)) return;
  await endJob(context, build, job, { event: 'lose_agent', exitStatus: job.startedAt === null ? null : -1, reason });
}

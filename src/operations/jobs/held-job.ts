import { z } from 'zod';
import type { AgentActor } from '../../auth/actor.js';
import type { Context } from '../../context.js';
import { isTerminal } from '../../domain/job-state.js';
import { forbidden, Problem, wrongState } from '../../domain/problem.js';
import type { AgentRow, BuildRow, JobRow } from '../../entities/database.js';
import { isId } from '../address.js';
import type { Subject } from '../subject.js';
import { lockJob, type LockedJob } from '../scheduling/lock-job.js';

/** A job and the agent that says something about it. */
export interface HeldJob extends Subject {
  job: JobRow;
  agent: AgentRow;
}

/** The same with its build's row locked. */
export interface LockedHeldJob extends HeldJob {
  build: BuildRow;
}

export const jobInput = z.object({ job: z.string().max(300) });

/** How long after its job's end a job token still works: for late chunks and processes that outlive the command. */
const tokenGraceMs = 60 * 60_000;

const notHeld = () => wrongState('The job is not held by this agent, or has been given out again since');

/** The calling agent; everybody else is refused. */
export function callingAgent(context: Context): AgentActor {
  if (context.actor.kind !== 'agent') throw forbidden();
  return context.actor;
}

/** The calling agent by its session token: what concerns the agent itself is not said with a job's token. */
export function callingSession(context: Context): AgentRow {
  const actor = callingAgent(context);
  if (actor.job) throw forbidden('This needs the session token of the agent');
  return actor.agent;
}

/** A job of the agent's organization and cluster, held or not; null for every other one. */
export async function findJobForAgent(context: Context, id: string): Promise<JobRow | null> {
  const { agent } = callingAgent(context);
  if (!isId(id)) return null;
  const job = await context.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
  return job && job.organizationId === agent.organizationId && job.clusterId === agent.clusterId && job.type === 'command' ? job : null;
}

/** Refuses with 422 an agent that does not hold the job, or held an earlier attempt of it (I1). */
export function requireHolder(context: Context, job: JobRow): void {
  const { agent, job: claim } = callingAgent(context);
  if (job.agentId !== agent.id || (claim && (claim.id !== job.id || claim.attempt !== job.attempt))) throw notHeld();
}

/** Refuses what is said long after the end of the job; `unauthenticated`, for the token is worth nothing any more. */
export function requireLiveToken(context: Context, job: JobRow): void {
  if (isTerminal(job.state) && job.finishedAt !== null && context.now.getTime() - job.finishedAt.getTime() > tokenGraceMs) {
    throw new Problem('unauthenticated', 'The job ended long ago: its token is no longer valid');
  }
}

/** The job an agent holds and names, read without a lock. With a job token only the token's own job is found. */
export async function findHeldJob(context: Context, id: string): Promise<HeldJob | null> {
  const { agent, job: claim } = callingAgent(context);
  if (claim && claim.id !== id.toLowerCase()) return null;
  const job = await findJobForAgent(context, id);
  if (!job) return null;
  requireHolder(context, job);
  return { job, agent };
}

/** The same under the lock of its build, which every change of a job needs: the row is read after the lock was had. */
export async function lockHeldJob(context: Context, id: string): Promise<LockedHeldJob | null> {
  const { agent, job: claim } = callingAgent(context);
  if (claim && claim.id !== id.toLowerCase()) return null;
  const locked = await lockJobForAgent(context, id);
  if (!locked) return null;
  requireHolder(context, locked.job);
  return { ...locked, agent };
}

/** A job the agent may know of, with its build locked. */
export async function lockJobForAgent(context: Context, id: string): Promise<LockedJob | null> {
  const before = await findJobForAgent(context, id);
  return before ? lockJob(context, before) : null;
}

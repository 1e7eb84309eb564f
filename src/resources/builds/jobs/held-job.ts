import { z } from 'zod';
import type { AgentActor } from '../../../auth/actor.js';
import type { Context } from '../../../request/context.js';
import { hasPipeline } from '../../../database/has-pipeline.js';
import { isTerminal } from '../../../domain/builds/job-state.js';
import { forbidden, Problem, wrongState } from '../../../domain/problem.js';
import type { AgentRow, BuildRow, JobRow } from '../../../entities/database.js';
import { isId } from '../../../core/address.js';
import type { Subject } from '../../../core/subject.js';
import { heldBy } from '../../../engine/agents/release-from-agent.js';
import { lockJobOfCluster, type LockedJob } from '../../../engine/builds/lock-job.js';

/** A job and the agent that reports about it. */
export interface HeldJob extends Subject {
  job: JobRow;
  agent: AgentRow;
}

/** A held job with its build's row locked. */
export interface LockedHeldJob extends HeldJob {
  build: BuildRow;
}

export const jobInput = z.object({ job: z.string().max(300) });

/** Milliseconds that a job token works after its job's end: for late chunks and processes that outlive the command. */
const tokenGraceMs = 60 * 60_000;

const notHeld = () => wrongState('The job is not held by this agent, or was offered to another agent since');

/** Returns the calling agent; throws for every other caller. */
export function callingAgent(context: Context): AgentActor {
  if (context.actor.kind !== 'agent') throw forbidden();
  return context.actor;
}

/** Returns the calling agent by its session token: a job's token is not accepted for calls about the agent itself. */
export function callingSession(context: Context): AgentRow {
  const actor = callingAgent(context);
  if (actor.job) throw forbidden('This needs the session token of the agent');
  return actor.agent;
}

/** Finds a job of the agent's organization and cluster, held or not; null for any other. */
export async function findJobForAgent(context: Context, id: string): Promise<JobRow | null> {
  if (!isId(id)) return null;
  const job = await context.db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .where(hasPipeline('jobs.pipelineId'))
    .executeTakeFirst();
  return job && isOfAgent(context, job) ? job : null;
}

/** Whether a job is a command of the agent's organization and cluster. */
export function isOfAgent(context: Context, job: Pick<JobRow, 'organizationId' | 'clusterId' | 'type'>): boolean {
  const { agent } = callingAgent(context);
  return job.organizationId === agent.organizationId && job.clusterId === agent.clusterId && job.type === 'command';
}

/** Whether the agent's token is good for calls about this job: with a job token only the token's own job is found. */
export function mayNameJob(context: Context, id: string): boolean {
  const { job: claim } = callingAgent(context);
  return !claim || claim.id === id.toLowerCase();
}

/** Throws `wrong_state` (422) for an agent that does not hold the job, or held an earlier attempt of it. */
export function requireHolder(context: Context, job: HeldColumns): void {
  if (!isHolder(context, job)) throw notHeld();
}

type HeldColumns = Pick<JobRow, 'id' | 'agentId' | 'attempt'>;

function isHolder(context: Context, job: HeldColumns): boolean {
  const { agent, job: claim } = callingAgent(context);
  return job.agentId === agent.id && (!claim || (claim.id === job.id && claim.attempt === job.attempt));
}

/** Throws `unauthenticated` long after the job's end, when its token is no longer valid. */
export function requireLiveToken(context: Context, job: Pick<JobRow, 'state' | 'finishedAt'>): void {
  if (
    isTerminal(job.state) &&
    job.finishedAt !== null &&
    context.now.getTime() - job.finishedAt.getTime() > tokenGraceMs
  ) {
    throw new Problem('unauthenticated', 'The job ended long ago: its token is no longer valid');
  }
}

/**
 * Throws `wrong_state` (422) for a job that is only offered: until the agent accepts it, nothing of the job is the
 * agent's.
 */
function requireTaken({ state }: Pick<JobRow, 'state'>): void {
  if (state === 'assigned') throw wrongState('The job was offered to this agent, which has not accepted it');
}

/**
 * Throws `wrong_state` (422) for a job that has ended. Its token is still good for an hour, for reports that are late
 * or repeated; what decides over other jobs, the build or the agent needs a job that runs.
 */
export function requireUnfinished({ state }: Pick<JobRow, 'state'>): void {
  if (isTerminal(state))
    throw wrongState('The job has ended, so that it can change neither its build nor its agent any more');
}

/** Finds a job that the agent holds and has accepted, without a lock. */
export async function findHeldJob(context: Context, id: string): Promise<HeldJob | null> {
  const { agent } = callingAgent(context);
  if (!mayNameJob(context, id)) return null;
  const job = await findJobForAgent(context, id);
  if (!job) return null;
  requireHolder(context, job);
  requireTaken(job);
  return { job, agent };
}

/**
 * Finds the job that a call comes from: that of the token or, with a session token, the one that the agent has
 * accepted.
 */
export async function jobOfCaller(context: Context): Promise<JobRow | null> {
  const { agent, job: claim } = callingAgent(context);
  if (claim) return (await findHeldJob(context, claim.id))?.job ?? null;
  const job = await heldBy(context, agent.id);
  return job && job.state !== 'assigned' ? findJobForAgent(context, job.id) : null;
}

/**
 * Finds a job that the agent holds and has accepted, under the lock of its build, which every change of a job needs;
 * the row is read after the lock was acquired. `offered`: the job may also be only offered.
 */
export async function lockHeldJob(
  context: Context,
  id: string,
  { offered = false } = {},
): Promise<LockedHeldJob | null> {
  const { agent } = callingAgent(context);
  if (!mayNameJob(context, id)) return null;
  const locked = await lockJobForAgent(context, id);
  if (!locked) return null;
  requireHolder(context, locked.job);
  if (!offered) requireTaken(locked.job);
  return { ...locked, agent };
}

/** Like {@link lockHeldJob}, but throws `forbidden` (403) for a job of the agent's cluster that it does not hold. */
export async function lockOwnJob(context: Context, id: string): Promise<LockedHeldJob | null> {
  const locked = await lockJobForAgent(context, id);
  if (!locked) return null;
  if (!isHolder(context, locked.job)) throw forbidden('The job is not held by this agent');
  return { ...locked, agent: callingAgent(context).agent };
}

/** Finds a job of the agent's cluster with its build locked. */
export async function lockJobForAgent(context: Context, id: string): Promise<LockedJob | null> {
  const { organizationId, clusterId } = callingAgent(context).agent;
  return isId(id) ? lockJobOfCluster(context, { id, organizationId, clusterId }) : null;
}

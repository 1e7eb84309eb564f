import { z } from 'zod';
import type { Context } from '../../request/context.js';
import { isAgentAvailable } from '../../domain/agents/agent-state.js';
import type { AgentRow, JobRow } from '../../entities/database.js';
import { heldBy, lockJobOfAgent, releaseFromAgent, requeueJob } from '../../engine/agents/release-from-agent.js';
import { defineOperation } from '../../core/operation.js';
import { offerJob } from '../../engine/agents/make-offers.js';
import { lockAgent, ownAgent } from '../../resources/agents/own-agent.js';
import { isPaused } from '../../engine/agents/pause-state.js';
import { hearAgent } from '../../engine/state/agents.js';

/** Reply to a ping: the instruction, and a job where there is one. */
export interface PingAnswer {
  action: 'disconnect' | 'pause' | null;
  message: string | null;
  job: JobRow | null;
}

const nothing: PingAnswer = { action: null, message: null, job: null };

/**
 * An agent that asks for work holds no job, whatever the rows say: a start or finish call was lost, or the payload
 * could not be read. The ping must be this much later than the job's last change, so that it was not under way at the
 * time.
 */
const strayPingMs = 5000;

/**
 * GET ping: returns an instruction, the outstanding offer, or a new job. A ping counts as a sign of life only from an
 * agent without a job; heartbeats do so for the others.
 */
export const pingAgent = defineOperation({
  name: 'agent.ping',
  summary: 'Returns work or instructions to an agent.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: z.object({}),
  subject: (context) => ownAgent(context),
  run: async (context, _input, { agent }): Promise<PingAnswer> => {
    const job = await heldBy(context, agent.id);
    if (job && mustRelease(context, agent, job)) return releaseStray(context, agent);
    const own = await lockAgent(context, agent.id);
    if (!own) return nothing;
    const current = await noteSignOfLife(context, own.agent, job === null);
    const instruction = instructionFor(context, current);
    if (instruction) return instruction;
    // Read again under the agent's lock: two pings of one agent must not get a job each.
    const offered = job ?? (await heldBy(context, agent.id));
    if (offered) return offered.state === 'assigned' ? { ...nothing, job: offered } : nothing;
    if (
      !isAgentAvailable({
        state: current.connectionState,
        paused: false,
        ignoreInDispatches: current.ignoreInDispatches,
        hasJob: false,
      })
    )
      return nothing;
    return { ...nothing, job: await offerJob(context, current) };
  },
});

/** Whether the agent loses the job it holds, because it may take none or evidently does not run it. */
function mustRelease(context: Context, agent: AgentRow, job: JobRow): boolean {
  if (job.state === 'assigned')
    return agent.ignoreInDispatches || isPaused(agent, context.now) || agent.connectionState !== 'connected';
  const last = job.startedAt ?? job.acceptedAt ?? job.assignedAt ?? context.now;
  return context.now.getTime() - last.getTime() >= strayPingMs;
}

/** Offers no other job in the same ping, because the next job may have the same problem. */
async function releaseStray(context: Context, agent: AgentRow): Promise<PingAnswer> {
  const locked = await lockJobOfAgent(context, agent.id);
  if (locked && mustRelease(context, agent, locked.job)) {
    if (locked.job.state === 'assigned') await requeueJob(context, locked.job, 'its agent takes no jobs');
    else await releaseFromAgent(context, locked, 'its agent asked for other work');
  }
  const own = await lockAgent(context, agent.id);
  return (own && instructionFor(context, await noteSignOfLife(context, own.agent, true))) ?? nothing;
}

function noteSignOfLife(context: Context, agent: AgentRow, isAlive: boolean): Promise<AgentRow> {
  return hearAgent(context, agent, 'heartbeat', { reason: 'ping', set: { pingedAt: context.now }, isAlive });
}

function instructionFor(context: Context, agent: AgentRow): PingAnswer | null {
  if (agent.connectionState === 'stopping')
    return { ...nothing, action: 'disconnect', message: 'This agent was asked to stop' };
  if (isPaused(agent, context.now))
    return { ...nothing, action: 'pause', message: agent.pausedNote || 'This agent is paused' };
  return null;
}

import { z } from 'zod';
import type { Context } from '../../context.js';
import { isAgentAvailable, transitionAgent } from '../../domain/agent-state.js';
import type { AgentRow, JobRow, Patch } from '../../entities/database.js';
import { heldBy, lockJobOfAgent, releaseFromAgent } from '../jobs/release-from-agent.js';
import { requeueJob } from '../jobs/requeue-job.js';
import { defineOperation } from '../operation.js';
import { dispatchJob } from './dispatch-job.js';
import { lockAgent, ownAgent } from './own-agent.js';
import { isPaused } from './pause-state.js';
import { recordAgentChange } from './record-agent-change.js';

/** What an agent is told when it asks for work. */
export interface PingAnswer {
  action: 'disconnect' | 'pause' | null;
  message: string | null;
  job: JobRow | null;
}

const nothing: PingAnswer = { action: null, message: null, job: null };

/**
 * An agent that asks for work holds no job, whatever we think: a start or finish call was lost for good, or the
 * payload could not be read. This much after the job's last change it cannot be a ping that was under way then.
 */
const strayPingMs = 5000;

/**
 * GET ping (agent-protocol 4.4): instructions, the offer made before, or new work. To an agent that holds a job
 * the ping is no sign of life; without one it is.
 */
export const pingAgent = defineOperation({
  name: 'agent.ping',
  summary: 'Asks for work or instructions.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: z.object({}),
  subject: (context) => ownAgent(context),
  run: async (context, _input, { agent }): Promise<PingAnswer> => {
    const held = await heldBy(context, agent.id);
    if (held && mustRelease(context, agent, held)) return releaseStray(context, agent);
    const own = await lockAgent(context, agent.id);
    if (!own) return nothing;
    const current = await noteSignOfLife(context, own.agent, held === null);
    const instruction = instructionFor(context, current);
    if (instruction) return instruction;
    // Read again under the agent's lock: two pings of one agent must not get a job each.
    const offered = held ?? (await heldBy(context, agent.id));
    if (offered) return offered.state === 'assigned' ? { ...nothing, job: offered } : nothing;
    if (!isAgentAvailable({ state: current.connectionState, paused: false, ignoreInDispatches: current.ignoreInDispatches, hasJob: false })) return nothing;
    return { ...nothing, job: await dispatchJob(context, current) };
  },
});

/** Whether the agent is to lose the job it holds: because it may take none, or shows that it does not run it. */
function mustRelease(context: Context, agent: AgentRow, job: JobRow): boolean {
  if (job.state === 'assigned') return agent.ignoreInDispatches || isPaused(agent, context.now) || agent.connectionState !== 'connected';
  const last = job.startedAt ?? job.acceptedAt ?? job.assignedAt ?? context.now;
  return context.now.getTime() - last.getTime() >= strayPingMs;
}

/** Nothing new is given out at once: what is wrong with this job may be wrong with the next. */
async function releaseStray(context: Context, agent: AgentRow): Promise<PingAnswer> {
  const locked = await lockJobOfAgent(context, agent.id);
  if (locked && mustRelease(context, agent, locked.job)) {
    if (locked.job.state === 'assigned') await requeueJob(context, locked.job, 'its agent takes no jobs');
    else await releaseFromAgent(context, locked, 'its agent asked for other work');
  }
  const own = await lockAgent(context, agent.id);
  return (own && instructionFor(context, await noteSignOfLife(context, own.agent, true))) ?? nothing;
}

async function noteSignOfLife(context: Context, agent: AgentRow, alive: boolean): Promise<AgentRow> {
  const patch: Patch<'agents'> = { pingedAt: context.now };
  if (alive) patch.heartbeatAt = context.now;
  const move = transitionAgent(agent.connectionState, 'heartbeat');
  if (move.kind === 'moved') patch.connectionState = move.to;
  const updated = { ...agent, ...(patch as Partial<AgentRow>) };
  await context.db.updateTable('agents').set(patch).where('id', '=', agent.id).execute();
  if (move.kind === 'moved') recordAgentChange(context, updated, 'return', agent.connectionState, 'ping');
  return updated;
}

function instructionFor(context: Context, agent: AgentRow): PingAnswer | null {
  if (agent.connectionState === 'stopping') return { ...nothing, action: 'disconnect', message: 'This agent was asked to stop' };
  if (isPaused(agent, context.now)) return { ...nothing, action: 'pause', message: agent.pausedNote || 'This agent is paused' };
  return null;
}

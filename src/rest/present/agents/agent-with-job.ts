import { agentStates } from '../../../domain/agents/agent-state.js';
import DataLoader from 'dataloader';
import type { Context } from '../../../request/context.js';
import { perform } from '../../../core/operation.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { isPaused } from '../../../engine/agents/pause-state.js';
import type { AgentRow, JobRow } from '../../../entities/database.js';
import { loadOrNull } from '../../../loaders/batch-loader.js';
import { heldJobs } from '../../../operations/agents/held-jobs.js';
import { boolean, enumOf, integer, nullable, reference, text, time } from '../../openapi/schema.js';
import { presentJob } from '../builds/job.js';
import { field, resource } from '../fields.js';
import { presentUserById } from '../organizations/user.js';
import { timeOrNull } from '../values.js';
import { agentFields, type AgentSource, laterAgentFields, linkAgent } from './agent.js';

interface AgentWithJobSource extends AgentSource {
  /** The agent while it is paused, else null: a pause that has timed out is over, even before a task ends it. */
  pause: AgentRow | null;
}

/** An agent in a reply of its own: with its job, if the caller may see that. */
export const agentWithJobResource = resource<AgentWithJobSource>({
  ...agentFields,
  connection_state: field(
    enumOf(...agentStates),
    'State of the connection of the agent.',
    ({ agent }) => agent.connectionState,
  ),
  os_id: field(nullable(text), 'Operating system of the machine.', ({ agent }) => agent.os),
  arch: field(nullable(text), 'Processor architecture of the machine.', ({ agent }) => agent.arch),
  queue: field(nullable(text), 'Key of the queue of the agent.', async ({ context, agent }) => {
    const queue = await loadOrNull(context.load.clusterQueue, agent.clusterQueueId);
    return queue?.key ?? null;
  }),
  creator: laterAgentFields.creator,
  created_at: laterAgentFields.created_at,
  connected_at: field(nullable(time), 'Time the agent connected.', ({ agent }) => timeOrNull(agent.connectedAt)),
  disconnected_at: field(nullable(time), 'Time the agent disconnected.', ({ agent }) =>
    timeOrNull(agent.disconnectedAt),
  ),
  lost_at: field(nullable(time), 'Time the agent was declared lost for want of heartbeats.', ({ agent }) =>
    timeOrNull(agent.lostAt),
  ),
  stopped_at: field(nullable(time), 'Time the agent was stopped.', ({ agent }) => timeOrNull(agent.stoppedAt)),
  job: field(
    nullable(reference('ScriptJob')),
    'Job that the agent runs; null without one, and for callers who may not see it.',
    async ({ context, agent }) => {
      const job = await jobsOf(context).load(agent.id);
      return job && presentJob(context, job);
    },
  ),
  last_job_finished_at: laterAgentFields.last_job_finished_at,
  priority: laterAgentFields.priority,
  meta_data: laterAgentFields.meta_data,
  paused: field(boolean, 'Whether the agent is paused.', ({ pause }) => pause !== null),
  paused_at: field(nullable(time), 'Time the agent was paused.', ({ pause }) => timeOrNull(pause?.pausedAt ?? null)),
  paused_by: field(nullable(reference('User')), 'User who paused the agent.', ({ context, pause }) =>
    presentUserById(context, pause?.pausedById ?? null),
  ),
  paused_note: field(nullable(text), 'Note of the pause.', ({ pause }) => pause?.pausedNote ?? null),
  paused_timeout_in_minutes: field(
    nullable(integer),
    'Minutes after which the pause ends.',
    ({ pause }) => pause?.pausedTimeoutInMinutes ?? null,
  ),
});

export async function presentAgent(context: Context, agent: AgentRow): Promise<JsonObject> {
  const pause = isPaused(agent, context.now) ? agent : null;
  return agentWithJobResource.present({ ...(await linkAgent(context, agent)), pause });
}

const loaders = new WeakMap<Context, DataLoader<string, JobRow | null>>();

/** Returns a loader that reads the jobs of all agents of a reply at once. */
function jobsOf(context: Context): DataLoader<string, JobRow | null> {
  const known = loaders.get(context);
  if (known) return known;
  const loader = new DataLoader<string, JobRow | null>(async (agentIds) => {
    const jobs = await perform(heldJobs, context, { agentIds: [...agentIds], visibleOnly: true });
    return agentIds.map((id) => jobs.get(id) ?? null);
  });
  loaders.set(context, loader);
  return loader;
}

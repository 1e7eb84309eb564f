import DataLoader from 'dataloader';
import type { Context } from '../../context.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { AgentRow, JobRow } from '../../entities/database.js';
import { loadOrNull } from '../../loaders.js';
import { heldJobs } from '../../operations/agents/held-jobs.js';
import { isPaused } from '../../operations/agents/pause-state.js';
import { perform } from '../../operations/operation.js';
import { agentFields } from './agent.js';
import { presentJob } from './job.js';
import { presentUserById } from './user.js';
import { timeOrNull } from './values.js';

/** An agent on its own (rest-facts 3.1), with its job as far as the caller may see that one. */
export async function presentAgent(context: Context, agent: AgentRow): Promise<JsonObject> {
  const [fields, queue, job, pausedBy] = await Promise.all([
    agentFields(context, agent),
    loadOrNull(context.load.clusterQueue, agent.clusterQueueId),
    jobsOf(context).load(agent.id),
    presentUserById(context, agent.pausedById),
  ]);
  return {
    ...fields,
    os_id: agent.os,
    arch: agent.arch,
    queue: queue?.key ?? null,
    creator: null,
    created_at: formatTime(agent.createdAt),
    connected_at: timeOrNull(agent.connectedAt),
    disconnected_at: timeOrNull(agent.disconnectedAt),
    lost_at: timeOrNull(agent.lostAt),
    stopped_at: timeOrNull(agent.stoppedAt),
    job: job && (await presentJob(context, job)),
    last_job_finished_at: timeOrNull(agent.lastJobFinishedAt),
    priority: agent.priority,
    meta_data: agent.metaData,
    ...pauseOf(context, agent, pausedBy),
  };
}

/** A pause that has timed out is over, noted or not. */
function pauseOf(context: Context, agent: AgentRow, pausedBy: JsonObject | null): JsonObject {
  if (!isPaused(agent, context.now)) return { paused: false, paused_at: null, paused_by: null, paused_note: null, paused_timeout_in_minutes: null };
  return { paused: true, paused_at: timeOrNull(agent.pausedAt), paused_by: pausedBy, paused_note: agent.pausedNote, paused_timeout_in_minutes: agent.pausedTimeoutInMinutes };
}

const loaders = new WeakMap<Context, DataLoader<string, JobRow | null>>();

/** Jobs of all agents that one reply shows, in one go. */
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

import type { Context } from '../../context.js';
import { agentMatches } from '../../domain/agents/dispatch.js';
import type { AgentRow, ClusterQueueRow, JobRow } from '../../entities/database.js';
import { loadOrNull } from '../../batch-loader.js';
import { lockJob } from '../builds/lock-job.js';
import { recordJobChange } from '../builds/apply-changes.js';
import { jobPatch, lastStamp } from '../builds/job-patch.js';
import { type Candidate, dispatchCandidates } from './dispatch-candidates.js';
import { leftToOthers } from './prefer-agents.js';

/**
 * Finds the best job for an agent that may take one, and offers it: a job of its queue that matches its tags, by
 * priority, then age. The agent's row is locked. A build locked by another transaction is skipped: its jobs are offered
 * at the next ping, so no ping waits for a lock.
 */
export async function dispatchJob(context: Context, agent: AgentRow): Promise<JobRow | null> {
  const queue = await loadOrNull(context.load.clusterQueue, agent.clusterQueueId);
  if (!queue || queue.dispatchPausedAt !== null) return null;
  const candidates = await dispatchCandidates(context, agent, queue);
  const others = await leftToOthers(context, agent, queue, candidates);
  for (const candidate of candidates) {
    if (others.has(candidate.id)) continue;
    const assigned = await assign(context, agent, queue, candidate);
    if (assigned) return assigned;
  }
  return null;
}

/** Offers one job if it is still available under its build's lock. */
async function assign(
  context: Context,
  agent: AgentRow,
  queue: ClusterQueueRow,
  candidate: Candidate,
): Promise<JobRow | null> {
  const locked = await lockJob(context, candidate, { skipLocked: true });
  if (locked?.job.state !== 'scheduled' || locked.job.clusterQueueId !== queue.id) return null;
  const { job } = locked;
  if (!agentMatches(job.agentQueryRules, agent.metaData, queue.key)) return null;
  const assigned = await context.db
    .updateTable('jobs')
    .set({
      ...jobPatch('assigned', { now: context.now, expiresAt: context.now, since: lastStamp(job) }),
      agentId: agent.id,
      attempt: job.attempt + 1,
    })
    .where('id', '=', job.id)
    .where('state', '=', 'scheduled')
    .where('attempt', '=', job.attempt)
    .returningAll()
    .executeTakeFirst();
  if (!assigned) return null;
  recordJobChange(context, { ...job, agentId: agent.id }, 'assign', 'assigned', 'offered to an agent');
  return assigned;
}

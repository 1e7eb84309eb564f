import { sql } from 'kysely';
import type { Context } from '../../context.js';
import { isAgentAvailable } from '../../domain/agents/agent-state.js';
import { agentHeldStates } from '../../domain/builds/job-state.js';
import type { AgentRow, JobRow } from '../../entities/database.js';
import { recordJobChange } from '../builds/apply-changes.js';
import { jobPatch } from '../builds/job-patch.js';
import { isPaused } from './pause-state.js';
import type { PlannedOffer } from './plan-pass.js';

/**
 * Makes the planned offers that still hold, in a few statements for all of them, and returns the agent of each job that
 * was offered. Builds are locked, then agents; whatever another transaction holds is skipped, so that nothing waits for
 * a lock: such a job stays in the queue, such an agent gets nothing this time.
 */
export async function assignJobs(
  context: Context,
  queueId: string,
  planned: readonly PlannedOffer[],
): Promise<Map<string, string>> {
  const builds = await lockBuilds(context, [...new Set(planned.map(({ job }) => job.buildId))]);
  const possible = planned.filter(({ job }) => builds.has(job.buildId));
  if (possible.length === 0) return new Map();
  const agents = await lockIdleAgents(
    context,
    possible.map(({ agentId }) => agentId),
  );
  const offers = possible.filter(({ agentId }) => agents.has(agentId));
  if (offers.length === 0) return new Map();
  const assigned = await assign(context, queueId, offers);
  for (const job of assigned) recordJobChange(context, job, 'assign', 'assigned', 'offered to an agent');
  return new Map(assigned.map((job) => [job.id, job.agentId]));
}

async function lockBuilds({ db }: Context, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('builds')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Locks the agents that may be offered a job. What they hold is read under their locks, in a statement of its own. */
async function lockIdleAgents({ db, now }: Context, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('agents')
    .select(['id', 'connectionState', 'ignoreInDispatches', 'pausedAt', 'pausedTimeoutInMinutes', 'sessionTokenHash'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute();
  const locked = rows.filter((agent) => agent.sessionTokenHash !== null);
  if (locked.length === 0) return new Set();
  const busy = await db
    .selectFrom('jobs')
    .select('agentId')
    .where(
      'agentId',
      'in',
      locked.map(({ id }) => id),
    )
    .where('state', 'in', agentHeldStates)
    .execute();
  const holding = new Set(busy.map(({ agentId }) => agentId));
  return new Set(locked.filter((agent) => isAvailable(agent, holding.has(agent.id), now)).map(({ id }) => id));
}

const isAvailable = (
  agent: Pick<AgentRow, 'connectionState' | 'ignoreInDispatches' | 'pausedAt' | 'pausedTimeoutInMinutes'>,
  hasJob: boolean,
  now: Date,
) =>
  isAgentAvailable({
    state: agent.connectionState,
    paused: isPaused(agent, now),
    ignoreInDispatches: agent.ignoreInDispatches,
    hasJob,
  });

type AssignedJob = Pick<JobRow, 'id' | 'buildId' | 'pipelineId' | 'organizationId' | 'state'> & { agentId: string };

/** Every guard again: the plan was made without locks. */
async function assign({ db, now }: Context, queueId: string, offers: readonly PlannedOffer[]): Promise<AssignedJob[]> {
  const { deadlineAt } = jobPatch('assigned', { now, expiresAt: now }) as { deadlineAt: Date };
  const { rows } = await sql<Omit<AssignedJob, 'state'>>`
    update jobs set state = 'assigned', agent_id = offer.agent_id, attempt = jobs.attempt + 1,
      assigned_at = greatest(${now.toISOString()}::timestamptz, jobs.created_at, jobs.runnable_at), deadline_at = ${deadlineAt.toISOString()}::timestamptz
    from unnest(${offers.map(({ job }) => job.id)}::uuid[], ${offers.map(({ agentId }) => agentId)}::uuid[], ${offers.map(({ job }) => rulesText(job.agentQueryRules))}::text[]) as offer(job_id, agent_id, rules)
    where jobs.id = offer.job_id and jobs.state = 'scheduled' and jobs.type = 'command' and jobs.cluster_queue_id = ${queueId}
      and array_to_string(jobs.agent_query_rules, chr(10)) = offer.rules
      and exists (select 1 from cluster_queues q where q.id = ${queueId} and q.dispatch_paused_at is null)
    returning jobs.id, jobs.build_id, jobs.pipeline_id, jobs.organization_id, jobs.agent_id`.execute(db);
  return rows.map((row) => ({ ...row, state: 'scheduled' as const }));
}

const rulesText = (rules: readonly string[]) => rules.join('\n');

import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import { compiled } from '../../database/compiled.js';
import { rowAsJson, rowsFromJson, storedName } from '../../database/row-conversion.js';
import { isAgentAvailable } from '../../domain/agents/agent-state.js';
import { agentHeldStates } from '../../domain/builds/job-state.js';
import type { AgentRow, JobRow } from '../../entities/database.js';
import { sqlList } from '../../entities/sql-list.js';
import { moveJob } from '../state/jobs.js';
import { isPaused } from './pause-state.js';
import type { PlannedOffer } from './plan-pass.js';

const jobColumns = [
  'id',
  'organizationId',
  'pipelineId',
  'buildId',
  'type',
  'state',
  'concurrencyGroup',
  'agentId',
  'attempt',
  'agentQueryRules',
  'createdAt',
  'runnableAt',
  'assignedAt',
  'acceptedAt',
  'startedAt',
] as const satisfies readonly (keyof JobRow)[];
const agentColumns = [
  'id',
  'connectionState',
  'ignoreInDispatches',
  'pausedAt',
  'pausedTimeoutInMinutes',
] as const satisfies readonly (keyof AgentRow)[];
type FreeJob = Pick<JobRow, (typeof jobColumns)[number]>;
type FreeAgent = Pick<AgentRow, (typeof agentColumns)[number]>;

interface Free {
  jobs: FreeJob[] | null;
  agents: FreeAgent[] | null;
  /** Those of the agents that hold a job. */
  busy: string[] | null;
}

const stored = (names: readonly string[], alias: string) =>
  sql.raw(names.map((name) => `${alias}.${storedName(name)}`).join(', '));

/**
 * Builds are locked, then jobs, then agents, each in the order of their ids; what another transaction holds is left
 * out.
 */
const lockOffered = compiled<{ queueId: string; jobIds: string[]; agentIds: string[] }, Free>(
  'lock-offered',
  (_db, { queueId, jobIds, agentIds }) => sql`
    with free as materialized (
      select ${stored(jobColumns, 'j')} from builds b join jobs j on j.build_id = b.id join pipelines p on p.id =
        b.pipeline_id
      where j.id = any(${jobIds}::uuid[]) and j.state = 'scheduled' and j.type = 'command' and j.cluster_queue_id
        = ${queueId}
        and exists (select from cluster_queues q where q.id = ${queueId} and q.dispatch_paused_at is null)
      order by b.id, j.id for update of b skip locked for no key update of j skip locked
    ), idle as materialized (
      select ${stored(agentColumns, 'a')} from agents a
      where a.id = any(${agentIds}::uuid[]) and a.session_token_hash is not null order by a.id for update skip locked
    )
    select (select json_agg(${rowAsJson('jobs', 'free', [...jobColumns])}) from free) as jobs,
      (select json_agg(${rowAsJson('agents', 'idle', [...agentColumns])}) from idle) as agents,
      (select json_agg(held.agent_id) from jobs held
        where held.agent_id = any(${agentIds}::uuid[]) and held.state in ${sql.raw(sqlList(agentHeldStates))}) as busy`,
);

/**
 * Makes the planned offers that still hold, with one statement that locks and one that writes, and returns the agent of
 * each job that is offered. What another transaction holds is skipped, so that nothing waits for a lock: such a job
 * stays in the queue, such an agent gets nothing this time. That an agent took a job in the moment before it was locked
 * is found by the unique index, which rolls all back. `asked`: whether the agent has asked for a job just now, so that
 * the event names it.
 */
export async function assignJobs(
  context: Context,
  queueId: string,
  planned: readonly PlannedOffer[],
  isCaller: (agentId: string) => boolean = () => false,
): Promise<Map<string, string>> {
  const [free] = await lockOffered(context.db, {
    queueId,
    jobIds: planned.map(({ job }) => job.id),
    agentIds: planned.map(({ agentId }) => agentId),
  });
  const jobs = new Map(rowsFromJson(free?.jobs).map((job) => [job.id, job]));
  const busy = new Set(free?.busy);
  const idle = new Set(
    rowsFromJson(free?.agents)
      .filter((agent) => isAvailable(agent, busy.has(agent.id), context.now))
      .map(({ id }) => id),
  );
  const offered = new Map<string, string>();
  for (const { job: plannedJob, agentId } of planned) {
    const job = jobs.get(plannedJob.id);
    if (!job || !idle.has(agentId) || rulesText(job) !== rulesText(plannedJob)) continue;
    await moveJob(context, job, 'assign', {
      reason: 'offered to an agent',
      set: { agentId, attempt: job.attempt + 1 },
      where: { attempt: job.attempt },
      ...(isCaller(agentId) ? { by: { actorType: 'agent', actorId: agentId } } : {}),
    });
    offered.set(job.id, agentId);
  }
  return offered;
}

const isAvailable = (agent: FreeAgent, hasJob: boolean, now: Date) =>
  isAgentAvailable({
    state: agent.connectionState,
    paused: isPaused(agent, now),
    ignoreInDispatches: agent.ignoreInDispatches,
    hasJob,
  });

const rulesText = ({ agentQueryRules }: Pick<JobRow, 'agentQueryRules'>) => agentQueryRules.join('\n');

import { sql } from 'kysely';
import { z } from 'zod';
import type { RegistrationActor } from '../../auth/actor.js';
import type { Context } from '../../request/context.js';
import { agentHeldStates, unfinishedJobStates } from '../../domain/builds/job-state.js';
import { sqlList } from '../../entities/sql-list.js';
import { forbidden, notFound } from '../../domain/problem.js';
import { hasPipeline } from '../../database/has-pipeline.js';
import { defineOperation } from '../../core/operation.js';
import type { OrganizationSubject } from '../../core/subject.js';

export interface AgentCounts {
  idle: number;
  busy: number;
  total: number;
}

export interface JobCounts {
  scheduled: number;
  running: number;
  waiting: number;
  /** All jobs that have not ended. */
  total: number;
}

export interface QueueMetrics {
  agents: AgentCounts;
  jobs: JobCounts;
}

export interface AgentMetrics {
  organizationSlug: string;
  clusterName: string;
  /** Every queue of the cluster by its key. */
  queues: Map<string, QueueMetrics>;
  all: QueueMetrics;
}

interface Metered extends OrganizationSubject {
  token: RegistrationActor;
}

/**
 * Counts the agents and command jobs in the cluster of a registration token, or in one of its queues. Autoscalers read
 * it. Throws `not_found` for a queue that does not exist.
 */
export const readAgentMetrics = defineOperation({
  name: 'agent.metrics',
  summary: 'Counts the agents and jobs of a cluster.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: z.object({ queue: z.string().max(255).nullish() }),
  subject: async (context): Promise<Metered | null> => {
    const { actor } = context;
    if (actor.kind !== 'registration') throw forbidden('This needs an agent registration token');
    const organization = await context.load.organization.load(actor.organizationId);
    return organization && { organization, token: actor };
  },
  run: async (context, { queue }, { organization, token }): Promise<AgentMetrics> => {
    const cluster = await context.load.cluster.load(token.clusterId);
    const rows = await countByQueue(context, token, queue ?? null);
    if (queue !== null && queue !== undefined && rows.length === 0)
      throw notFound(`The queue "${queue}" does not exist`);
    const queues = new Map(
      rows.map(({ key, idle, busy, scheduled, running, waiting }): [string, QueueMetrics] => [
        key,
        {
          agents: { idle, busy, total: idle + busy },
          jobs: { scheduled, running, waiting, total: scheduled + running + waiting },
        },
      ]),
    );
    return {
      organizationSlug: organization.slug,
      clusterName: cluster?.name ?? '',
      queues,
      all: sum([...queues.values()]),
    };
  },
});

interface QueueRow {
  key: string;
  idle: number;
  busy: number;
  scheduled: number;
  running: number;
  waiting: number;
}

async function countByQueue(
  { db }: Context,
  { organizationId, clusterId }: RegistrationActor,
  key: string | null,
): Promise<QueueRow[]> {
  const holding = sql.raw(sqlList(agentHeldStates));
  const { rows } = await sql<QueueRow>`
    with a as (
      select cluster_queue_id as queue, count(*) filter (where held) as busy, count(*) filter (where not held) as idle
      from (
        select cluster_queue_id, exists (select 1 from jobs j where j.agent_id = agents.id and j.state in
          ${holding}) as held
        from agents where cluster_id = ${clusterId} and connection_state in ('connected', 'stopping')
      ) as each
      group by cluster_queue_id
    ), j as (
      select cluster_queue_id as queue,
        count(*) filter (where state in ('scheduled', 'reserved')) as scheduled,
        count(*) filter (where state in ${holding}) as running,
        count(*) filter (where state not in ('scheduled', 'reserved') and state not in ${holding}) as waiting
      from jobs
      where organization_id = ${organizationId} and cluster_id = ${clusterId} and type = 'command'
        and state in ${sql.raw(sqlList(unfinishedJobStates))} and ${hasPipeline('jobs.pipelineId')}
      group by cluster_queue_id
    )
    select q.key, coalesce(a.idle, 0)::int as idle, coalesce(a.busy, 0)::int as busy,
      coalesce(j.scheduled, 0)::int as scheduled, coalesce(j.running, 0)::int as running, coalesce(j.waiting,
        0)::int as waiting
    from cluster_queues q left join a on a.queue = q.id left join j on j.queue = q.id
    where q.cluster_id = ${clusterId} and (${key}::text is null or q.key = ${key}::text)
    order by q.key`.execute(db);
  return rows;
}

function sum(metrics: readonly QueueMetrics[]): QueueMetrics {
  const total: QueueMetrics = {
    agents: { idle: 0, busy: 0, total: 0 },
    jobs: { scheduled: 0, running: 0, waiting: 0, total: 0 },
  };
  for (const { agents, jobs } of metrics) {
    for (const name of ['idle', 'busy', 'total'] as const) total.agents[name] += agents[name];
    for (const name of ['scheduled', 'running', 'waiting', 'total'] as const) total.jobs[name] += jobs[name];
  }
  return total;
}

import { sql } from 'kysely';
import { z } from 'zod';
import type { RegistrationActor } from '../../auth/actor.js';
import type { Context } from '../../request/context.js';
import { forbidden, notFound } from '../../domain/problem.js';
import { countsByQueue, type QueueCounts } from '../../resources/agents/queues/queue-counts.js';
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

const shownCounts = ['idle', 'busy', 'scheduled', 'running', 'waiting'] as const satisfies (keyof QueueCounts)[];

type QueueRow = { key: string } & Pick<QueueCounts, (typeof shownCounts)[number]>;

async function countByQueue(
  { db, now }: Context,
  { organizationId, clusterId }: RegistrationActor,
  key: string | null,
): Promise<QueueRow[]> {
  const { rows } = await sql<QueueRow>`
    select q.key, ${sql.join(shownCounts.map((name) => sql`coalesce(${sql.ref(name)}, 0)::int as ${sql.ref(name)}`))}
    from cluster_queues q left join (${countsByQueue(now, { organizationId, clusterId })}) as c on c.queue = q.id
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

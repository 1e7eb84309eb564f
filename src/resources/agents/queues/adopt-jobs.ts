import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import { targetQueue } from '../../../domain/agents/dispatch.js';
import type { ClusterRow } from '../../../entities/database.js';
import { changeJobsWhere } from '../../../engine/state/jobs.js';
import { unfinished } from './active-jobs.js';

/**
 * Moves jobs without a queue into the queue that their agent rules name, after a cluster got a new queue or default
 * queue. Jobs that name a queue that does not exist keep waiting.
 */
export async function adoptJobs(context: Context, cluster: ClusterRow): Promise<void> {
  const queues = await context.db
    .selectFrom('cluster_queues')
    .select(['id', 'key'])
    .where('clusterId', '=', cluster.id)
    .execute();
  const byKey = new Map(queues.map(({ id, key }) => [key, id]));
  const defaultKey = queues.find(({ id }) => id === cluster.defaultQueueId)?.key;
  const waiting = await context.db
    .selectFrom('jobs')
    .select('agentQueryRules')
    .distinct()
    .where('organizationId', '=', cluster.organizationId)
    .where('clusterId', '=', cluster.id)
    .where('clusterQueueId', 'is', null)
    .where('type', '=', 'command')
    .where(unfinished)
    .execute();
  for (const { agentQueryRules } of waiting) {
    const clusterQueueId = byKey.get(targetQueue(agentQueryRules, defaultKey));
    if (clusterQueueId === undefined) continue;
    await changeJobsWhere(context.db, { clusterQueueId }, (eb) =>
      eb.and([
        eb.and({ organizationId: cluster.organizationId, clusterId: cluster.id, type: 'command' }),
        eb('clusterQueueId', 'is', null),
        unfinished,
        sql<boolean>`agent_query_rules = ${sql.val(agentQueryRules)}::text[]`,
      ]),
    );
  }
}

import { liveAgentStates } from '../../../domain/agents/agent-state.js';
import { sqlList } from '../../../entities/sql-list.js';
import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import { wrongState } from '../../../domain/problem.js';
import { recordCluster } from '../../../resources/agents/clusters/record.js';
import { defineOperation } from '../../../core/operation.js';
import { hasActiveJobs } from '../../../resources/agents/queues/active-jobs.js';
import { findQueue, queueInput, type QueueSubject } from '../../../resources/agents/queues/find-queue.js';

/**
 * Deletes a queue. Refused while it is the cluster's default, has connected agents, or has jobs that have not ended.
 */
export const deleteQueue = defineOperation({
  name: 'queue.delete',
  summary: 'Deletes a queue of a cluster.',
  kind: 'command',
  scope: 'write_clusters',
  access: 'maintain',
  refusal: 'sentence',
  input: queueInput,
  subject: (context, input) => findQueue(context, input, { lock: true }),
  run: async (context, _input, subject: QueueSubject): Promise<QueueSubject> => {
    const { cluster, queue } = subject;
    const reason = await reasonToKeep(context, subject);
    if (reason !== null) throw wrongState(reason);
    await context.db.deleteFrom('stacks').where('clusterQueueId', '=', queue.id).execute();
    await context.db
      .deleteFrom('agent_time_rollups')
      .where('clusterId', '=', cluster.id)
      .where('clusterQueueId', '=', queue.id)
      .execute();
    await context.db.deleteFrom('cluster_queues').where('id', '=', queue.id).execute();
    recordCluster(context, cluster, 'queue.delete', { queue: queue.id, key: queue.key });
    return subject;
  },
});

async function reasonToKeep(context: Context, { cluster, queue }: QueueSubject): Promise<string | null> {
  if (cluster.defaultQueueId === queue.id) return 'The default queue of a cluster cannot be deleted';
  const agent = await context.db
    .selectFrom('agents')
    .select('id')
    .where('clusterQueueId', '=', queue.id)
    .where(sql<boolean>`connection_state in ${sql.raw(sqlList(liveAgentStates))}`)
    .limit(1)
    .executeTakeFirst();
  if (agent) return 'The queue cannot be deleted: it still has connected agents';
  return (await hasActiveJobs(context, queue.organizationId, { clusterQueueId: queue.id }))
    ? 'The queue cannot be deleted: it still has active jobs'
    : null;
}

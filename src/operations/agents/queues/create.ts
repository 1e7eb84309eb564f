import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField, wrongState } from '../../../domain/problem.js';
import type { ClusterRow } from '../../../entities/database.js';
import { inOrganization } from '../../../core/address.js';
import { type ClusterSubject, findCluster } from '../../../resources/agents/clusters/find-cluster.js';
import { recordCluster } from '../../../resources/agents/clusters/record.js';
import { defineOperation } from '../../../core/operation.js';
import { adoptJobs } from '../../../resources/agents/queues/adopt-jobs.js';
import { queueFields, queueKey } from '../../../resources/agents/queues/fields.js';
import type { QueueSubject } from '../../../resources/agents/queues/find-queue.js';

/** Creates a queue of a cluster. Jobs that were waiting for this key move into it. */
export const createQueue = defineOperation({
  name: 'queue.create',
  summary: 'Creates a queue of a cluster.',
  kind: 'command',
  scope: 'write_clusters',
  access: 'maintain',
  refusal: 'sentence',
  input: z.object({ cluster: inOrganization, key: queueKey, ...queueFields }),
  subject: (context, { cluster }) => findCluster(context, cluster, { lock: true }),
  run: async (context, request, subject: ClusterSubject): Promise<QueueSubject> => {
    const { cluster } = subject;
    await refuseTooMany(context, cluster);
    const queue = await context.db
      .insertInto('cluster_queues')
      .values({
        id: context.newId(),
        organizationId: cluster.organizationId,
        clusterId: cluster.id,
        key: request.key,
        description: request.description ?? null,
        retryAgentAffinity: request.retryAgentAffinity ?? 'prefer-warmest',
        pricePerAgentHour: request.pricePerAgentHour ?? null,
        createdById: context.userId,
        createdAt: context.now,
      })
      .onConflict((conflict) => conflict.columns(['clusterId', 'key']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!queue) throw invalidField('key', 'has already been taken');
    await adoptJobs(context, cluster);
    recordCluster(context, cluster, 'queue.create', { queue: queue.id, key: queue.key });
    return { ...subject, queue };
  },
});

async function refuseTooMany(context: Context, cluster: ClusterRow): Promise<void> {
  const { count } = await context.db
    .selectFrom('cluster_queues')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('clusterId', '=', cluster.id)
    .executeTakeFirstOrThrow();
  if (Number(count) >= limits.queuesPerCluster)
    throw wrongState(`A cluster may have at most ${limits.queuesPerCluster} queues`);
}

import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { idFromEither } from '../../../domain/node-id.js';
import type { ClusterQueueRow } from '../../../entities/database.js';
import { inOrganization } from '../../../core/address.js';
import { type ClusterSubject, findCluster } from '../clusters/find-cluster.js';

export interface QueueSubject extends ClusterSubject {
  queue: ClusterQueueRow;
}

/** `clusterId`: the cluster that it must belong to. */
export const queueInput = z.object({ queue: inOrganization, clusterId: z.string().max(300).nullish() });

/** Finds a queue by uuid or node id; `lock` locks its cluster and then the queue. */
export async function findQueue(
  context: Context,
  { queue: address, clusterId }: z.output<typeof queueInput>,
  { lock = false } = {},
): Promise<QueueSubject | null> {
  const id = idFromEither(address.id, ['ClusterQueue']);
  const queue = id && (await context.load.clusterQueue.load(id));
  if (!queue || (clusterId != null && idFromEither(clusterId, ['Cluster']) !== queue.clusterId)) return null;
  const parent = await findCluster(context, { ...address, id: queue.clusterId }, { lock });
  if (!parent || !lock) return parent && { ...parent, queue };
  const locked = await context.db
    .selectFrom('cluster_queues')
    .selectAll()
    .where('id', '=', queue.id)
    .forUpdate()
    .executeTakeFirst();
  return locked ? { ...parent, queue: locked } : null;
}

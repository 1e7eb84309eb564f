import { z } from 'zod';
import type { Context } from '../../context.js';
import { idFromEither } from '../../domain/node-id.js';
import type { ClusterQueueRow } from '../../entities/database.js';
import { inOrganization } from '../address.js';
import { type ClusterSubject, findCluster } from '../clusters/find-cluster.js';

export interface QueueSubject extends ClusterSubject {
  queue: ClusterQueueRow;
}

/** `clusterId` says which cluster it must be of. */
export const queueInput = z.object({ queue: inOrganization, clusterId: z.string().max(300).nullish() });

/** The queue a caller names by uuid or node id; `lock` takes the locks of its cluster and its own, in this order. */
export async function findQueue(context: Context, { queue: address, clusterId }: z.output<typeof queueInput>, { lock = false } = {}): Promise<QueueSubject | null> {
  const id = idFromEither(address.id, ['ClusterQueue']);
  const queue = id && (await context.load.clusterQueue.load(id));
  if (!queue || (clusterId != null && idFromEither(clusterId, ['Cluster']) !== queue.clusterId)) return null;
  const found = await findCluster(context, { ...address, id: queue.clusterId }, { lock });
  if (!found || !lock) return found && { ...found, queue };
  const locked = await context.db.selectFrom('cluster_queues').selectAll().where('id', '=', queue.id).forUpdate().executeTakeFirst();
  return locked ? { ...found, queue: locked } : null;
}

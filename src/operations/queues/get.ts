import { z } from 'zod';
import { idFromEither } from '../../domain/node-id.js';
import type { ClusterQueueRow } from '../../entities/database.js';
import { inOrganization } from '../address.js';
import { type ClusterSubject, findCluster } from '../clusters/find-cluster.js';
import { defineOperation } from '../operation.js';

interface QueueSubject extends ClusterSubject {
  queue: ClusterQueueRow;
}

/** One queue by uuid or node id, with its cluster; `clusterId` says which cluster it must be of. */
export const getQueue = defineOperation({
  name: 'queue.get',
  summary: 'Returns one queue of a cluster.',
  kind: 'query',
  scope: 'read_clusters',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ queue: inOrganization, clusterId: z.string().max(300).nullish() }),
  subject: async (context, { queue: address, clusterId }): Promise<QueueSubject | null> => {
    const id = idFromEither(address.id, ['ClusterQueue']);
    const queue = id && (await context.load.clusterQueue.load(id));
    if (!queue || (clusterId != null && idFromEither(clusterId, ['Cluster']) !== queue.clusterId)) return null;
    const found = await findCluster(context, { ...address, id: queue.clusterId });
    return found && { ...found, queue };
  },
  run: async (_context, _input, subject: QueueSubject) => subject,
});

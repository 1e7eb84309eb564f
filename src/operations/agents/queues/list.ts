import { z } from 'zod';
import type { ClusterQueueRow } from '../../../entities/database.js';
import { inOrganization } from '../../../core/address.js';
import { type ClusterSubject, findCluster } from '../../../resources/agents/clusters/find-cluster.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import { oneOf } from '../../../domain/input-text.js';

/** Lists the queues of a cluster, by key or newest first. */
export const listQueues = defineOperation({
  name: 'queue.list',
  summary: 'Lists the queues of a cluster.',
  kind: 'query',
  scope: 'read_clusters',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    cluster: inOrganization,
    order: oneOf(['key', 'recently_created']).default('key'),
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { cluster }) => findCluster(context, cluster),
  run: async (context, { order, paging: page }, { cluster }: ClusterSubject): Promise<Page<ClusterQueueRow>> => {
    const query = context.db.selectFrom('cluster_queues as q').selectAll('q').where('q.clusterId', '=', cluster.id);
    const byKey = {
      column: 'q.key',
      id: 'q.id',
      direction: 'asc',
      key: (row: ClusterQueueRow) => row.key,
      type: 'text',
    } as const;
    return paginate(context.db, query, order === 'key' ? byKey : newestFirst<ClusterQueueRow>('q.id'), page);
  },
});

import { z } from 'zod';
import type { ClusterMaintainerRow } from '../../../entities/database.js';
import { inOrganization } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import { type ClusterSubject, findCluster } from '../../../resources/agents/clusters/find-cluster.js';
import { maintainersSeen } from '../../../resources/agents/cluster-maintainers/maintainer.js';

/** Lists the users and teams that maintain a cluster, newest first. */
export const listMaintainers = defineOperation({
  name: 'cluster-maintainer.list',
  summary: 'Lists the maintainers of a cluster.',
  kind: 'query',
  scope: 'read_clusters',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ cluster: inOrganization, paging: paging.default(defaultPaging) }),
  subject: (context, { cluster }) => findCluster(context, cluster),
  run: async (context, request, { cluster }: ClusterSubject): Promise<Page<ClusterMaintainerRow>> =>
    paginate<ClusterMaintainerRow>(
      context.db,
      maintainersSeen(context).where('m.clusterId', '=', cluster.id),
      newestFirst('m.id'),
      request.paging,
    ),
});

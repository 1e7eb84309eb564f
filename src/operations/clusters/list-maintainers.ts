import { z } from 'zod';
import type { ClusterMaintainerRow } from '../../entities/database.js';
import { inOrganization } from '../address.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../paging.js';
import { type ClusterSubject, findCluster } from './find-cluster.js';
import { maintainersSeen } from './maintainer.js';

/** The people and teams that maintain a cluster (rest-facts 3.6), newest first. */
export const listMaintainers = defineOperation({
  name: 'cluster-maintainer.list',
  summary: 'Lists the maintainers of a cluster.',
  kind: 'query',
  scope: 'read_clusters',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ cluster: inOrganization, paging: paging.default(defaultPaging) }),
  subject: (context, { cluster }) => findCluster(context, cluster),
  run: async (context, given, { cluster }: ClusterSubject): Promise<Page<ClusterMaintainerRow>> =>
    paginate<ClusterMaintainerRow>(context.db, maintainersSeen(context).where('m.clusterId', '=', cluster.id), newestFirst('m.id'), given.paging),
});

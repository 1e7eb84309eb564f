import { z } from 'zod';
import { inOrganization } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import { type ClusterSubject, findCluster } from '../../../resources/agents/clusters/find-cluster.js';

/** Returns one cluster, by uuid or node id. */
export const getCluster = defineOperation({
  name: 'cluster.get',
  summary: 'Returns one cluster.',
  kind: 'query',
  scope: 'read_clusters',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ cluster: inOrganization }),
  subject: (context, { cluster }) => findCluster(context, cluster),
  run: async (_context, _input, subject: ClusterSubject) => subject,
});

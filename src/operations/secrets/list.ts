import { z } from 'zod';
import { inOrganization } from '../address.js';
import { type ClusterSubject, findCluster } from '../clusters/find-cluster.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../paging.js';
import { type Secret, secretColumns } from './secret.js';

/** The secrets of a cluster, newest first, without their values (rest-facts 3.6). */
export const listSecrets = defineOperation({
  name: 'secret.list',
  summary: 'Lists the secrets of a cluster.',
  kind: 'query',
  scope: 'read_secrets_details',
  access: 'maintain',
  refusal: 'sentence',
  input: z.object({ cluster: inOrganization, paging: paging.default(defaultPaging) }),
  subject: (context, { cluster }) => findCluster(context, cluster),
  run: async (context, given, { cluster }: ClusterSubject): Promise<Page<Secret>> =>
    paginate<Secret>(context.db, context.db.selectFrom('cluster_secrets').select([...secretColumns]).where('clusterId', '=', cluster.id), newestFirst('id'), given.paging),
});

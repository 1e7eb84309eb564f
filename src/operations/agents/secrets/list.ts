import { z } from 'zod';
import { inOrganization } from '../../../core/address.js';
import { type ClusterSubject, findCluster } from '../../../resources/agents/clusters/find-cluster.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import { type Secret, secretColumns } from '../../../resources/agents/secrets/secret.js';

/** Lists the secrets of a cluster, newest first, without their values. */
export const listSecrets = defineOperation({
  name: 'secret.list',
  summary: 'Lists the secrets of a cluster.',
  kind: 'query',
  scope: 'read_secrets_details',
  access: 'maintain',
  refusal: 'sentence',
  input: z.object({ cluster: inOrganization, paging: paging.default(defaultPaging) }),
  subject: (context, { cluster }) => findCluster(context, cluster),
  run: async (context, request, { cluster }: ClusterSubject): Promise<Page<Secret>> =>
    paginate<Secret>(
      context.db,
      context.db
        .selectFrom('cluster_secrets')
        .select([...secretColumns])
        .where('clusterId', '=', cluster.id),
      newestFirst('id'),
      request.paging,
    ),
});

import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { idFromEither } from '../../../domain/node-id.js';
import { inOrganization } from '../../../core/address.js';
import { type ClusterSubject, findCluster } from '../clusters/find-cluster.js';
import { type Secret, secretColumns } from './secret.js';

export interface SecretSubject extends ClusterSubject {
  secret: Secret;
}

/** `clusterId`: the cluster that it must belong to. */
export const secretInput = z.object({ secret: inOrganization, clusterId: z.string().max(300).nullish() });

/** Finds a secret by uuid or node id, without its value. */
export async function findSecret(
  context: Context,
  { secret: address, clusterId }: z.output<typeof secretInput>,
  { lock = false } = {},
): Promise<SecretSubject | null> {
  const id = idFromEither(address.id, ['ClusterSecret']);
  if (id === null) return null;
  const query = context.db
    .selectFrom('cluster_secrets')
    .select([...secretColumns])
    .where('id', '=', id);
  const secret = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (!secret || (clusterId != null && idFromEither(clusterId, ['Cluster']) !== secret.clusterId)) return null;
  const parent = await findCluster(context, { ...address, id: secret.clusterId });
  return parent && { ...parent, secret };
}

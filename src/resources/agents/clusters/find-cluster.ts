import type { Context } from '../../../request/context.js';
import { idFromEither } from '../../../domain/node-id.js';
import type { ClusterRow } from '../../../entities/database.js';
import type { InOrganizationAddress } from '../../../core/address.js';
import { organizationOf } from '../../../core/find-in-organization.js';
import type { OrganizationSubject } from '../../../core/subject.js';

export interface ClusterSubject extends OrganizationSubject {
  cluster: ClusterRow;
}

/**
 * Finds a cluster by uuid or node id in an organization that the caller is a member of. `lock` takes its row lock,
 * under which its queues, maintainers and secrets are counted and added.
 */
export async function findCluster(
  context: Context,
  address: InOrganizationAddress,
  { lock = false } = {},
): Promise<ClusterSubject | null> {
  const id = idFromEither(address.id, ['Cluster']);
  const cluster = id && (lock ? await lockCluster(context, id) : await context.load.cluster.load(id));
  const organization = cluster
    ? await organizationOf(context, cluster, 'organization' in address ? address.organization : undefined)
    : null;
  return cluster && organization ? { organization, cluster } : null;
}

async function lockCluster(context: Context, id: string): Promise<ClusterRow | null> {
  return (
    (await context.db.selectFrom('clusters').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()) ?? null
  );
}

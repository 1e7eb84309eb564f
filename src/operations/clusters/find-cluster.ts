import type { Context } from '../../context.js';
import { idFromEither } from '../../domain/node-id.js';
import type { ClusterRow } from '../../entities/database.js';
import type { InOrganizationAddress } from '../address.js';
import { organizationOf } from '../find-in-organization.js';
import type { OrganizationSubject } from '../subject.js';

export interface ClusterSubject extends OrganizationSubject {
  cluster: ClusterRow;
}

/** The cluster a caller names by uuid or node id, if it is a member of the cluster's organization. */
export async function findCluster(context: Context, address: InOrganizationAddress): Promise<ClusterSubject | null> {
  const id = idFromEither(address.id, ['Cluster']);
  const cluster = id && (await context.load.cluster.load(id));
  const organization = cluster ? await organizationOf(context, cluster, 'organization' in address ? address.organization : undefined) : null;
  return cluster && organization ? { organization, cluster } : null;
}

import { z } from 'zod';
import type { Context } from '../../context.js';
import { idFromEither } from '../../domain/node-id.js';
import type { ClusterMaintainerRow } from '../../entities/database.js';
import { inOrganization } from '../address.js';
import { teamIsVisible } from '../teams/visibility.js';
import { type ClusterSubject, findCluster } from './find-cluster.js';

export interface MaintainerSubject extends ClusterSubject {
  clusterMaintainer: ClusterMaintainerRow;
}

/** `clusterId` says which cluster it must be of. */
export const maintainerInput = z.object({ clusterMaintainer: inOrganization, clusterId: z.string().max(300).nullish() });

/** Maintainers whose person or team is still there, and not a secret team of others. */
export function maintainersSeen(context: Context) {
  return context.db
    .selectFrom('cluster_maintainers as m')
    .selectAll('m')
    .where((eb) =>
      eb.or([
        eb.exists(eb.selectFrom('organization_members as om').select('om.id').whereRef('om.userId', '=', 'm.userId').whereRef('om.organizationId', '=', 'm.organizationId')),
        eb.exists(eb.selectFrom('teams as t').select('t.id').whereRef('t.id', '=', 'm.teamId').where(teamIsVisible(context.actor))),
      ]),
    );
}

/** The maintainer a caller names by uuid or node id. */
export async function findMaintainer(context: Context, { clusterMaintainer: address, clusterId }: z.output<typeof maintainerInput>): Promise<MaintainerSubject | null> {
  const id = idFromEither(address.id, ['ClusterMaintainer']);
  const clusterMaintainer = id && (await maintainersSeen(context).where('m.id', '=', id).executeTakeFirst());
  if (!clusterMaintainer || (clusterId != null && idFromEither(clusterId, ['Cluster']) !== clusterMaintainer.clusterId)) return null;
  const found = await findCluster(context, { ...address, id: clusterMaintainer.clusterId });
  return found && { ...found, clusterMaintainer };
}

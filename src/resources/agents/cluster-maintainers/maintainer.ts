import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { idFromEither } from '../../../domain/node-id.js';
import type { ClusterMaintainerRow } from '../../../entities/database.js';
import { inOrganization } from '../../../core/address.js';
import { teamIsVisible } from '../../../core/team-visibility.js';
import { type ClusterSubject, findCluster } from '../clusters/find-cluster.js';

export interface MaintainerSubject extends ClusterSubject {
  clusterMaintainer: ClusterMaintainerRow;
}

/** `clusterId`: the cluster that it must belong to. */
export const maintainerInput = z.object({
  clusterMaintainer: inOrganization,
  clusterId: z.string().max(300).nullish(),
});

/** Maintainers whose user or team still exists, without other people's secret teams. */
export function maintainersSeen(context: Context) {
  return context.db
    .selectFrom('cluster_maintainers as m')
    .selectAll('m')
    .where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('organization_members as om')
            .select('om.id')
            .whereRef('om.userId', '=', 'm.userId')
            .whereRef('om.organizationId', '=', 'm.organizationId'),
        ),
        eb.exists(
          eb
            .selectFrom('teams as t')
            .select('t.id')
            .whereRef('t.id', '=', 'm.teamId')
            .where(teamIsVisible(context.actor)),
        ),
      ]),
    );
}

/** Finds a maintainer by uuid or node id. */
export async function findMaintainer(
  context: Context,
  { clusterMaintainer: address, clusterId }: z.output<typeof maintainerInput>,
): Promise<MaintainerSubject | null> {
  const id = idFromEither(address.id, ['ClusterMaintainer']);
  const clusterMaintainer = id && (await maintainersSeen(context).where('m.id', '=', id).executeTakeFirst());
  if (!clusterMaintainer || (clusterId != null && idFromEither(clusterId, ['Cluster']) !== clusterMaintainer.clusterId))
    return null;
  const parent = await findCluster(context, { ...address, id: clusterMaintainer.clusterId });
  return parent && { ...parent, clusterMaintainer };
}

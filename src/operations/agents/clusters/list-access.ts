import { z } from 'zod';
import { standing } from '../../../auth/authorize.js';
import { maintainedClusters } from '../../../auth/cluster-maintainers.js';
import { defineOperation } from '../../../core/operation.js';

/** What the caller may do with a cluster, the strongest: administrators delete it, its maintainers change it. */
export type ClusterAccess = 'admin' | 'maintain' | 'member';

/** Returns the caller's access to each of many clusters; nothing for one whose organization is hidden. */
export const clusterAccess = defineOperation({
  name: 'cluster.access',
  summary: "Returns the caller's access to clusters.",
  kind: 'query',
  batchOf: 'cluster.get',
  scope: 'read_clusters',
  access: 'authenticated',
  input: z.object({ clusterIds: z.array(z.uuid()).max(10_000) }),
  subject: async () => ({}),
  run: async (context, { clusterIds }): Promise<Map<string, ClusterAccess>> => {
    const clusters = (await context.load.cluster.loadMany(clusterIds)).flatMap((cluster) =>
      cluster === null || cluster instanceof Error ? [] : [cluster],
    );
    const roleIn = (organizationId: string) => standing(context.actor, organizationId);
    const visibleClusterIds = clusters
      .filter(({ organizationId }) => roleIn(organizationId) === 'member')
      .map(({ id }) => id);
    const maintained = await maintainedClusters(context.db, context.actor, visibleClusterIds);
    return new Map(
      clusters.flatMap(({ id, organizationId }): [string, ClusterAccess][] => {
        const role = roleIn(organizationId);
        if (role === 'admin' || role === 'system') return [[id, 'admin']];
        return role === 'member' ? [[id, maintained.has(id) ? 'maintain' : 'member']] : [];
      }),
    );
  },
});

import { z } from 'zod';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField, wrongState } from '../../../domain/problem.js';
import { inOrganization } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import { type ClusterSubject, findCluster } from '../../../resources/agents/clusters/find-cluster.js';
import { insertMaintainers } from '../../../resources/agents/cluster-maintainers/insert-maintainers.js';
import { maintainerFields } from '../../../resources/agents/cluster-maintainers/fields.js';
import type { MaintainerSubject } from '../../../resources/agents/cluster-maintainers/maintainer.js';
import { recordCluster } from '../../../resources/agents/clusters/record.js';

/** Makes a user or a team a maintainer of a cluster; refuses one that already is. */
export const createMaintainer = defineOperation({
  name: 'cluster-maintainer.create',
  summary: 'Adds a maintainer to a cluster.',
  kind: 'command',
  scope: 'write_clusters',
  access: 'maintain',
  refusal: 'sentence',
  input: z.object({ cluster: inOrganization, ...maintainerFields }),
  subject: (context, { cluster }) => findCluster(context, cluster, { lock: true }),
  run: async (context, { user, team }, subject: ClusterSubject): Promise<MaintainerSubject> => {
    const { cluster } = subject;
    const { count } = await context.db
      .selectFrom('cluster_maintainers')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('clusterId', '=', cluster.id)
      .executeTakeFirstOrThrow();
    if (Number(count) >= limits.maintainersPerCluster)
      throw wrongState(`A cluster may have at most ${limits.maintainersPerCluster} maintainers`);
    const [clusterMaintainer] = await insertMaintainers(context, cluster, [{ user, team }]);
    if (!clusterMaintainer) throw invalidField(user == null ? 'team' : 'user', 'has already been added');
    recordCluster(context, cluster, 'cluster-maintainer.create', {
      user_id: clusterMaintainer.userId,
      team_id: clusterMaintainer.teamId,
    });
    return { ...subject, clusterMaintainer };
  },
});

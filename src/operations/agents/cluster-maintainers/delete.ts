import { notFound } from '../../../domain/problem.js';
import { defineOperation } from '../../../core/operation.js';
import {
  findMaintainer,
  maintainerInput,
  type MaintainerSubject,
} from '../../../resources/agents/cluster-maintainers/maintainer.js';
import { recordCluster } from '../../../resources/agents/clusters/record.js';

/** Removes a cluster maintainer (user or team). */
export const deleteMaintainer = defineOperation({
  name: 'cluster-maintainer.delete',
  summary: 'Removes a maintainer from a cluster.',
  kind: 'command',
  scope: 'write_clusters',
  access: 'maintain',
  refusal: 'sentence',
  input: maintainerInput,
  subject: (context, input) => findMaintainer(context, input),
  run: async (context, _input, subject: MaintainerSubject): Promise<MaintainerSubject> => {
    const { clusterMaintainer } = subject;
    const gone = await context.db
      .deleteFrom('cluster_maintainers')
      .where('id', '=', clusterMaintainer.id)
      .returning('id')
      .executeTakeFirst();
    if (!gone) throw notFound();
    recordCluster(context, subject.cluster, 'cluster-maintainer.delete', {
      user_id: clusterMaintainer.userId,
      team_id: clusterMaintainer.teamId,
    });
    return subject;
  },
});

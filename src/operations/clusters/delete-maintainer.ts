import { notFound } from '../../domain/problem.js';
import { defineOperation } from '../operation.js';
import { findMaintainer, maintainerInput, type MaintainerSubject } from './maintainer.js';
import { recordCluster } from './record.js';

/** Takes the care for a cluster from a person or a team (rest-facts 3.6). */
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
    const gone = await context.db.deleteFrom('cluster_maintainers').where('id', '=', clusterMaintainer.id).returning('id').executeTakeFirst();
    if (!gone) throw notFound();
    recordCluster(context, subject.cluster, 'cluster-maintainer.delete', { user_id: clusterMaintainer.userId, team_id: clusterMaintainer.teamId });
    return subject;
  },
});

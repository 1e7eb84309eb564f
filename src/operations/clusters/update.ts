import { z } from 'zod';
import type { Context } from '../../context.js';
import { isUniqueViolation } from '../../database/transaction.js';
import { idFromEither } from '../../domain/node-id.js';
import { invalidField } from '../../domain/problem.js';
import type { ClusterRow, Patch } from '../../entities/database.js';
import { inOrganization } from '../address.js';
import { defineOperation } from '../operation.js';
import { adoptJobs } from '../queues/adopt-jobs.js';
import { text } from '../text.js';
import { clusterFields, clusterName, taken } from './fields.js';
import { type ClusterSubject, findCluster } from './find-cluster.js';
import { recordCluster } from './record.js';

/** Changes what is given of a cluster and leaves the rest; a null default queue clears it (graphql-facts 6). */
export const updateCluster = defineOperation({
  name: 'cluster.update',
  summary: 'Updates a cluster.',
  kind: 'command',
  scope: 'write_clusters',
  access: 'maintain',
  refusal: 'sentence',
  input: z.object({
    cluster: inOrganization,
    name: clusterName.optional(),
    ...clusterFields,
    /** Uuid or node id of one of its queues. */
    defaultQueueId: text(300).nullish(),
  }),
  subject: (context, { cluster }) => findCluster(context, cluster, { lock: true }),
  run: async (context, given, subject: ClusterSubject): Promise<ClusterSubject> => {
    const { cluster: before } = subject;
    const patch: Patch<'clusters'> = {};
    for (const field of ['name', 'description', 'emoji', 'color'] as const) if (given[field] !== undefined) patch[field] = given[field] as never;
    if (given.defaultQueueId !== undefined) patch.defaultQueueId = given.defaultQueueId === null ? null : await ownQueue(context, before, given.defaultQueueId);
    const changed = Object.keys(patch).filter((column) => patch[column as 'name'] !== before[column as 'name']);
    if (changed.length === 0) {
      recordCluster(context, before, 'cluster.update', { changed });
      return subject;
    }
    const cluster = await context.db
      .updateTable('clusters')
      .set(patch)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => Promise.reject(isUniqueViolation(error, 'clusters_organization_id_name_unique') ? invalidField('name', taken) : error));
    if (cluster.defaultQueueId !== before.defaultQueueId) await adoptJobs(context, cluster);
    recordCluster(context, cluster, 'cluster.update', { changed });
    return { ...subject, cluster };
  },
});

async function ownQueue(context: Context, cluster: ClusterRow, given: string): Promise<string> {
  const id = idFromEither(given, ['ClusterQueue']);
  const queue = id && (await context.load.clusterQueue.load(id));
  if (!queue || queue.clusterId !== cluster.id) throw invalidField('defaultQueueId', 'is not a queue of this cluster');
  return queue.id;
}

import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { isUniqueViolation } from '../../../database/transaction.js';
import { idFromEither } from '../../../domain/node-id.js';
import { invalidField } from '../../../domain/problem.js';
import type { ClusterRow, Patch } from '../../../entities/database.js';
import { inOrganization } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import { adoptJobs } from '../../../resources/agents/queues/adopt-jobs.js';
import { text } from '../../../domain/input-text.js';
import { clusterFields, clusterName, taken } from '../../../resources/agents/clusters/fields.js';
import { type ClusterSubject, findCluster } from '../../../resources/agents/clusters/find-cluster.js';
import { recordCluster } from '../../../resources/agents/clusters/record.js';

/** Updates the fields present in the request; a null default queue clears it. */
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
    /** Uuid or node id of one of the cluster's queues. */
    defaultQueueId: text(300).nullish(),
  }),
  subject: (context, { cluster }) => findCluster(context, cluster, { lock: true }),
  run: async (context, request, subject: ClusterSubject): Promise<ClusterSubject> => {
    const { cluster: before } = subject;
    const patch: Patch<'clusters'> = {};
    // The fields' types differ by column, which an assignment by a key of a union cannot express.
    for (const field of ['name', 'description', 'emoji', 'color'] as const)
      if (request[field] !== undefined) patch[field] = request[field] as never;
    if (request.defaultQueueId !== undefined)
      patch.defaultQueueId =
        request.defaultQueueId === null ? null : await ownQueue(context, before, request.defaultQueueId);
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
      .catch((error: unknown) =>
        Promise.reject(
          isUniqueViolation(error, 'clusters_organization_id_name_unique') ? invalidField('name', taken) : error,
        ),
      );
    if (cluster.defaultQueueId !== before.defaultQueueId) await adoptJobs(context, cluster);
    recordCluster(context, cluster, 'cluster.update', { changed });
    return { ...subject, cluster };
  },
});

async function ownQueue(context: Context, cluster: ClusterRow, request: string): Promise<string> {
  const id = idFromEither(request, ['ClusterQueue']);
  const queue = id && (await context.load.clusterQueue.load(id));
  if (!queue || queue.clusterId !== cluster.id) throw invalidField('defaultQueueId', 'is not a queue of this cluster');
  return queue.id;
}

import { recordCluster } from '../../../resources/agents/clusters/record.js';
import { defineOperation } from '../../../core/operation.js';
import { queueFields } from '../../../resources/agents/queues/fields.js';
import { findQueue, queueInput, type QueueSubject } from '../../../resources/agents/queues/find-queue.js';

/** Updates the fields present in the request; the key of a queue cannot change. */
export const updateQueue = defineOperation({
  name: 'queue.update',
  summary: 'Updates a queue of a cluster.',
  kind: 'command',
  scope: 'write_clusters',
  access: 'maintain',
  refusal: 'sentence',
  input: queueInput.extend(queueFields),
  subject: (context, input) => findQueue(context, input, { lock: true }),
  run: async (context, request, subject: QueueSubject): Promise<QueueSubject> => {
    const queue = await context.db
      .updateTable('cluster_queues')
      .set({
        description: request.description === undefined ? subject.queue.description : request.description,
        retryAgentAffinity: request.retryAgentAffinity ?? subject.queue.retryAgentAffinity,
        pricePerAgentHour:
          request.pricePerAgentHour === undefined ? subject.queue.pricePerAgentHour : request.pricePerAgentHour,
      })
      .where('id', '=', subject.queue.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordCluster(context, subject.cluster, 'queue.update', { queue: queue.id });
    return { ...subject, queue };
  },
});

import { recordCluster } from '../clusters/record.js';
import { defineOperation } from '../operation.js';
import { queueFields } from './fields.js';
import { findQueue, queueInput, type QueueSubject } from './find-queue.js';

/** Changes what is given of a queue; its key stays (rest-facts 3.6). */
export const updateQueue = defineOperation({
  name: 'queue.update',
  summary: 'Updates a queue of a cluster.',
  kind: 'command',
  scope: 'write_clusters',
  access: 'maintain',
  refusal: 'sentence',
  input: queueInput.extend(queueFields),
  subject: (context, input) => findQueue(context, input, { lock: true }),
  run: async (context, given, subject: QueueSubject): Promise<QueueSubject> => {
    const queue = await context.db
      .updateTable('cluster_queues')
      .set({
        description: given.description === undefined ? subject.queue.description : given.description,
        retryAgentAffinity: given.retryAgentAffinity ?? subject.queue.retryAgentAffinity,
      })
      .where('id', '=', subject.queue.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordCluster(context, subject.cluster, 'queue.update', { queue: queue.id });
    return { ...subject, queue };
  },
});

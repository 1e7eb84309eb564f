import { limits } from '../../../domain/limits/limits.js';
import { wrongState } from '../../../domain/problem.js';
import { recordCluster } from '../../../resources/agents/clusters/record.js';
import { defineOperation } from '../../../core/operation.js';
import { text } from '../../../domain/input-text.js';
import { findQueue, queueInput, type QueueSubject } from '../../../resources/agents/queues/find-queue.js';

/** Pauses dispatch of a queue: its jobs wait until dispatch is resumed. Jobs that agents hold go on. */
export const pauseDispatch = defineOperation({
  name: 'queue.pause-dispatch',
  summary: 'Pauses the dispatch of a queue.',
  kind: 'command',
  scope: 'write_clusters',
  access: 'maintain',
  refusal: 'sentence',
  input: queueInput.extend({ note: text(limits.descriptionLength).nullish() }),
  subject: (context, input) => findQueue(context, input, { lock: true }),
  run: async (context, { note }, subject: QueueSubject): Promise<QueueSubject> => {
    if (subject.queue.dispatchPausedAt !== null) throw wrongState('Cluster queue is already paused');
    const queue = await context.db
      .updateTable('cluster_queues')
      .set({ dispatchPausedAt: context.now, dispatchPausedById: context.userId, dispatchPausedNote: note || null })
      .where('id', '=', subject.queue.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordCluster(context, subject.cluster, 'queue.pause-dispatch', { queue: queue.id });
    return { ...subject, queue };
  },
});

import { wrongState } from '../../../domain/problem.js';
import { recordCluster } from '../../../resources/agents/clusters/record.js';
import { defineOperation } from '../../../core/operation.js';
import { findQueue, queueInput, type QueueSubject } from '../../../resources/agents/queues/find-queue.js';

/** Resumes dispatch of a paused queue. */
export const resumeDispatch = defineOperation({
  name: 'queue.resume-dispatch',
  summary: 'Resumes the dispatch of a queue.',
  kind: 'command',
  scope: 'write_clusters',
  access: 'maintain',
  refusal: 'sentence',
  input: queueInput,
  subject: (context, input) => findQueue(context, input, { lock: true }),
  run: async (context, _input, subject: QueueSubject): Promise<QueueSubject> => {
    if (subject.queue.dispatchPausedAt === null) throw wrongState('Cluster queue is not paused');
    const queue = await context.db
      .updateTable('cluster_queues')
      .set({ dispatchPausedAt: null, dispatchPausedById: null, dispatchPausedNote: null })
      .where('id', '=', subject.queue.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordCluster(context, subject.cluster, 'queue.resume-dispatch', { queue: queue.id });
    return { ...subject, queue };
  },
});

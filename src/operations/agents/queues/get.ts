import { defineOperation } from '../../../core/operation.js';
import { findQueue, queueInput, type QueueSubject } from '../../../resources/agents/queues/find-queue.js';

/** Returns one queue, by uuid or node id, with its cluster; `clusterId` names the cluster that it must belong to. */
export const getQueue = defineOperation({
  name: 'queue.get',
  summary: 'Returns one queue of a cluster.',
  kind: 'query',
  scope: 'read_clusters',
  access: 'member',
  refusal: 'sentence',
  input: queueInput,
  subject: (context, input) => findQueue(context, input),
  run: async (_context, _input, subject: QueueSubject) => subject,
});

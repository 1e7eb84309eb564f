import { defineOperation } from '../operation.js';
import { findQueue, queueInput, type QueueSubject } from './find-queue.js';

/** One queue by uuid or node id, with its cluster; `clusterId` says which cluster it must be of. */
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

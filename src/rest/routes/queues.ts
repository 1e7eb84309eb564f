import type { Context } from '../../context.js';
import { createQueue } from '../../operations/queues/create.js';
import { deleteQueue } from '../../operations/queues/delete.js';
import type { QueueSubject } from '../../operations/queues/find-queue.js';
import { getQueue } from '../../operations/queues/get.js';
import { listQueues } from '../../operations/queues/list.js';
import { pauseDispatch } from '../../operations/queues/pause-dispatch.js';
import { resumeDispatch } from '../../operations/queues/resume-dispatch.js';
import { updateQueue } from '../../operations/queues/update.js';
import { camelFields } from '../field-names.js';
import { readPage } from '../pagination.js';
import { presentQueue } from '../present/cluster.js';
import { listRoute, type Route, route } from '../route.js';
import { inCluster, ofCluster } from './addresses.js';
import { bothWays } from './both-ways.js';

const queues = '/organizations/{org}/clusters/{cluster}/queues';
const one = `${queues}/{queue}`;

const ofQueue = inCluster('queue');
const shown = { kind: 'object', status: 200, schema: 'ClusterQueue', present: (context: Context, { queue }: QueueSubject) => presentQueue(context, queue) } as const;

/** Queues of a cluster (rest-facts 3.6). */
export const queueRoutes: Route[] = [
  listRoute(listQueues, {
    method: 'get',
    path: queues,
    input: (request) => ({ ...ofCluster(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'ClusterQueue', present: presentQueue },
  }),
  route(createQueue, {
    method: 'post',
    path: queues,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofCluster(request) }),
    reply: { ...shown, status: 201 },
  }),
  route(getQueue, { method: 'get', path: one, input: ofQueue, reply: shown }),
  ...bothWays((method, variant) =>
    route(updateQueue, { method, variant, path: one, takesBody: true, input: (request) => ({ ...camelFields(request.body), ...ofQueue(request) }), reply: shown }),
  ),
  route(deleteQueue, { method: 'delete', path: one, input: ofQueue, reply: { kind: 'empty' } }),
  route(pauseDispatch, {
    method: 'post',
    path: `${one}/pause_dispatch`,
    takesBody: true,
    // The documents call it both ways.
    input: (request) => ({ note: request.body['dispatch_paused_note'] ?? request.body['note'], ...ofQueue(request) }),
    reply: shown,
  }),
  route(resumeDispatch, { method: 'post', path: `${one}/resume_dispatch`, input: ofQueue, reply: shown }),
];

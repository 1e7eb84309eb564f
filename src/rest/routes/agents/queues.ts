import type { Context } from '../../../request/context.js';
import { estimateAgents } from '../../../operations/agents/queues/estimate-agents.js';
import { createQueue } from '../../../operations/agents/queues/create.js';
import { deleteQueue } from '../../../operations/agents/queues/delete.js';
import type { QueueSubject } from '../../../resources/agents/queues/find-queue.js';
import { getQueue } from '../../../operations/agents/queues/get.js';
import { listQueues } from '../../../operations/agents/queues/list.js';
import { pauseDispatch } from '../../../operations/agents/queues/pause-dispatch.js';
import { resumeDispatch } from '../../../operations/agents/queues/resume-dispatch.js';
import { updateQueue } from '../../../operations/agents/queues/update.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import { presentAgentsNeeded } from '../../present/agents/agents-needed.js';
import { presentQueue } from '../../present/agents/cluster.js';
import { listRoute, type Route, route } from '../../route.js';
import { inCluster, ofCluster } from '../addresses.js';
import { bothWays } from '../both-ways.js';

const queues = '/organizations/{org}/clusters/{cluster}/queues';
const one = `${queues}/{queue}`;

const ofQueue = inCluster('queue');
const objectReply = {
  kind: 'object',
  status: 200,
  schema: 'ClusterQueue',
  present: (context: Context, { queue }: QueueSubject) => presentQueue(context, queue),
} as const;

/** Queues of a cluster. */
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
    reply: { ...objectReply, status: 201 },
  }),
  route(getQueue, { method: 'get', path: one, input: ofQueue, reply: objectReply }),
  route(estimateAgents, {
    method: 'get',
    path: `${one}/agents_needed`,
    query: [
      { name: 'wait', type: 'integer', description: 'Longest wait that is wanted, in seconds; 60 by default.' },
      { name: 'from', type: 'time', description: 'Only jobs created at or after this time; a week before `to`.' },
      { name: 'to', type: 'time', description: 'Only jobs created before this time; now by default.' },
    ],
    input: (request) => ({
      ...ofQueue(request),
      wait: request.integer('wait'),
      from: request.time('from'),
      to: request.time('to'),
    }),
    reply: { kind: 'object', status: 200, schema: 'AgentsNeeded', present: presentAgentsNeeded },
  }),
  ...bothWays((method, variant) =>
    route(updateQueue, {
      method,
      variant,
      path: one,
      takesBody: true,
      input: (request) => ({ ...camelFields(request.body), ...ofQueue(request) }),
      reply: objectReply,
    }),
  ),
  route(deleteQueue, { method: 'delete', path: one, input: ofQueue, reply: { kind: 'empty' } }),
  route(pauseDispatch, {
    method: 'post',
    path: `${one}/pause_dispatch`,
    takesBody: true,
    // The documents call it both ways.
    input: (request) => ({ note: request.body['dispatch_paused_note'] ?? request.body['note'], ...ofQueue(request) }),
    reply: objectReply,
  }),
  route(resumeDispatch, { method: 'post', path: `${one}/resume_dispatch`, input: ofQueue, reply: objectReply }),
];

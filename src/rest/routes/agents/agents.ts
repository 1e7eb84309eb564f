import { getAgent } from '../../../operations/agents/get.js';
import { listAgents } from '../../../operations/agents/list.js';
import { pauseAgent } from '../../../operations/agents/pause.js';
import { resumeAgent } from '../../../operations/agents/resume.js';
import { stopAgent } from '../../../operations/agents/stop.js';
import { readPage } from '../../replies/pagination.js';
import { presentAgent } from '../../present/agents/agent-with-job.js';
import type { RestRequest } from '../../requests/request.js';
import { listRoute, type Route, route } from '../../route.js';
import { inOrganization } from '../addresses.js';

const all = '/organizations/{org}/agents';
const one = `${all}/{agent}`;

const ofAgent = (request: RestRequest) => ({
  agent: { organization: request.param('org'), id: request.param('agent') },
});

/** Routes of agents: connected ones, one agent in any state, and requests to stop, pause and resume it. */
export const agentRoutes: Route[] = [
  listRoute(listAgents, {
    method: 'get',
    path: all,
    query: [
      { name: 'name', type: 'string', description: 'Only agents with exactly this name.' },
      { name: 'hostname', type: 'string', description: 'Only agents with exactly this hostname.' },
      { name: 'version', type: 'string', description: 'Only agents with exactly this version.' },
      { name: 'cluster_queue_id', type: 'list', description: 'Only agents of the queues with these IDs.' },
    ],
    input: (request) => ({
      ...inOrganization(request),
      name: request.text('name'),
      hostname: request.text('hostname'),
      version: request.text('version'),
      clusterQueueIds: request.list('cluster_queue_id'),
      paging: readPage(request),
    }),
    reply: { kind: 'page', schema: 'AgentWithJob', present: presentAgent },
  }),
  route(getAgent, {
    method: 'get',
    path: one,
    input: ofAgent,
    reply: {
      kind: 'object',
      status: 200,
      schema: 'AgentWithJob',
      present: (context, { agent }) => presentAgent(context, agent),
    },
  }),
  route(stopAgent, {
    method: 'put',
    path: `${one}/stop`,
    takesBody: true,
    // Without `force` /v2 stops at once, as its clients expect; other surfaces let the job end.
    input: (request) => ({ force: request.body['force'] ?? true, ...ofAgent(request) }),
    reply: { kind: 'empty' },
  }),
  route(pauseAgent, {
    method: 'put',
    path: `${one}/pause`,
    takesBody: true,
    input: (request) => ({
      note: request.body['note'],
      timeoutInMinutes: request.body['timeout_in_minutes'],
      ...ofAgent(request),
    }),
    reply: { kind: 'empty' },
  }),
  route(resumeAgent, { method: 'put', path: `${one}/resume`, input: ofAgent, reply: { kind: 'empty' } }),
];

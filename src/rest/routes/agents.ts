import { getAgent } from '../../operations/agents/get.js';
import { listAgents } from '../../operations/agents/list.js';
import { pauseAgent } from '../../operations/agents/pause.js';
import { resumeAgent } from '../../operations/agents/resume.js';
import { stopAgent } from '../../operations/agents/stop.js';
import { readPage } from '../pagination.js';
import { presentAgent } from '../present/agent-with-job.js';
import type { RestRequest } from '../request.js';
import { listRoute, type Route, route } from '../route.js';
import { inOrganization } from './addresses.js';

const all = '/organizations/{org}/agents';
const one = `${all}/{agent}`;

const ofAgent = (request: RestRequest) => ({ agent: { organization: request.param('org'), id: request.param('agent') } });

/** Agents: those that are there, one in any state, and what may be asked of it (rest-facts 3.1). */
export const agentRoutes: Route[] = [
  listRoute(listAgents, {
    method: 'get',
    path: all,
    query: [
      { name: 'name', type: 'string', about: 'The whole name.' },
      { name: 'hostname', type: 'string', about: 'The whole host name.' },
      { name: 'version', type: 'string', about: 'The whole version.' },
      { name: 'cluster_queue_id', type: 'list', about: 'Ids of queues.' },
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
    reply: { kind: 'object', status: 200, schema: 'AgentWithJob', present: (context, { agent }) => presentAgent(context, agent) },
  }),
  route(stopAgent, {
    method: 'put',
    path: `${one}/stop`,
    takesBody: true,
    // Without a word /v2 stops at once, as its clients expect; other doors let the job end.
    input: (request) => ({ force: request.body['force'] ?? true, ...ofAgent(request) }),
    reply: { kind: 'empty' },
  }),
  route(pauseAgent, {
    method: 'put',
    path: `${one}/pause`,
    takesBody: true,
    input: (request) => ({ note: request.body['note'], timeoutInMinutes: request.body['timeout_in_minutes'], ...ofAgent(request) }),
    reply: { kind: 'empty' },
  }),
  route(resumeAgent, { method: 'put', path: `${one}/resume`, input: ofAgent, reply: { kind: 'empty' } }),
];

import type { Context } from '../../context.js';
import { createAgentToken } from '../../operations/clusters/create-agent-token.js';
import type { AgentTokenSubject } from '../../operations/clusters/find-agent-token.js';
import { getAgentToken } from '../../operations/clusters/get-agent-token.js';
import { listAgentTokens } from '../../operations/clusters/list-agent-tokens.js';
import { revokeAgentToken } from '../../operations/clusters/revoke-agent-token.js';
import { updateAgentToken } from '../../operations/clusters/update-agent-token.js';
import { camelFields } from '../field-names.js';
import { readPage } from '../pagination.js';
import { presentAgentToken, presentNewAgentToken } from '../present/cluster.js';
import { listRoute, type Route, route } from '../route.js';
import { inCluster, ofCluster } from './addresses.js';
import { bothWays } from './both-ways.js';

const tokens = '/organizations/{org}/clusters/{cluster}/tokens';
const one = `${tokens}/{token}`;

const ofToken = inCluster('token', 'agentToken');
const shown = { kind: 'object', status: 200, schema: 'AgentToken', present: (context: Context, { agentToken }: AgentTokenSubject) => presentAgentToken(context, agentToken) } as const;

/** Tokens that agents of a cluster register with; the value is shown once (rest-facts 3.6). */
export const agentTokenRoutes: Route[] = [
  listRoute(listAgentTokens, {
    method: 'get',
    path: tokens,
    input: (request) => ({ ...ofCluster(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'AgentToken', present: presentAgentToken },
  }),
  route(createAgentToken, {
    method: 'post',
    path: tokens,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofCluster(request) }),
    reply: { kind: 'object', status: 201, schema: 'NewAgentToken', present: presentNewAgentToken },
  }),
  route(getAgentToken, { method: 'get', path: one, input: ofToken, reply: shown }),
  ...bothWays((method, variant) =>
    route(updateAgentToken, { method, variant, path: one, takesBody: true, input: (request) => ({ ...camelFields(request.body), ...ofToken(request) }), reply: shown }),
  ),
  route(revokeAgentToken, { method: 'delete', path: one, input: ofToken, reply: { kind: 'empty' } }),
];

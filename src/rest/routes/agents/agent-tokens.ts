import type { Context } from '../../../request/context.js';
import { createAgentToken } from '../../../operations/agents/agent-tokens/create.js';
import type { AgentTokenSubject } from '../../../resources/agents/agent-tokens/find-agent-token.js';
import { getAgentToken } from '../../../operations/agents/agent-tokens/get.js';
import { listAgentTokens } from '../../../operations/agents/agent-tokens/list.js';
import { revokeAgentToken } from '../../../operations/agents/agent-tokens/revoke.js';
import { updateAgentToken } from '../../../operations/agents/agent-tokens/update.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import { presentAgentToken, presentNewAgentToken } from '../../present/agents/cluster.js';
import { listRoute, type Route, route } from '../../route.js';
import { inCluster, ofCluster } from '../addresses.js';
import { bothWays } from '../both-ways.js';

const tokens = '/organizations/{org}/clusters/{cluster}/tokens';
const one = `${tokens}/{token}`;

const ofToken = inCluster('token', 'agentToken');
const objectReply = {
  kind: 'object',
  status: 200,
  schema: 'AgentToken',
  present: (context: Context, { agentToken }: AgentTokenSubject) => presentAgentToken(context, agentToken),
} as const;

/** Tokens that agents of a cluster register with; the value is shown once. */
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
    reply: { kind: 'object', status: 201, schema: 'CreatedAgentToken', present: presentNewAgentToken },
  }),
  route(getAgentToken, { method: 'get', path: one, input: ofToken, reply: objectReply }),
  ...bothWays((method, variant) =>
    route(updateAgentToken, {
      method,
      variant,
      path: one,
      takesBody: true,
      input: (request) => ({ ...camelFields(request.body), ...ofToken(request) }),
      reply: objectReply,
    }),
  ),
  route(revokeAgentToken, { method: 'delete', path: one, input: ofToken, reply: { kind: 'empty' } }),
];

import { defineOperation } from '../operation.js';
import { agentTokenInput, type AgentTokenSubject, findAgentToken } from './find-agent-token.js';

/** One agent token of a cluster (uuid or node id) without its value; a revoked one is gone. */
export const getAgentToken = defineOperation({
  name: 'agent-token.get',
  summary: 'Returns one agent token of a cluster.',
  kind: 'query',
  scope: 'read_clusters',
  access: 'member',
  refusal: 'sentence',
  input: agentTokenInput,
  subject: (context, input) => findAgentToken(context, input),
  run: async (_context, _input, subject: AgentTokenSubject) => subject,
});

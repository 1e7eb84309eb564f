import { defineOperation } from '../../../core/operation.js';
import {
  agentTokenInput,
  type AgentTokenSubject,
  findAgentToken,
} from '../../../resources/agents/agent-tokens/find-agent-token.js';

/** Returns one agent token of a cluster, by uuid or node id, without its value; null for a revoked one. */
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

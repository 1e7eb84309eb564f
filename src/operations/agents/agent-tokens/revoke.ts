import { defineOperation } from '../../../core/operation.js';
import {
  agentTokenInput,
  type AgentTokenSubject,
  findAgentToken,
} from '../../../resources/agents/agent-tokens/find-agent-token.js';
import { recordCluster } from '../../../resources/agents/clusters/record.js';

/** Revokes an agent token: no further agent can register with it. Agents that already registered stay connected. */
export const revokeAgentToken = defineOperation({
  name: 'agent-token.revoke',
  summary: 'Revokes an agent token of a cluster.',
  kind: 'command',
  scope: 'write_clusters',
  access: 'maintain',
  refusal: 'sentence',
  input: agentTokenInput,
  subject: (context, input) => findAgentToken(context, input, { lock: true }),
  run: async (context, _input, subject: AgentTokenSubject): Promise<AgentTokenSubject> => {
    await context.db
      .updateTable('agent_tokens')
      .set({ revokedAt: context.now })
      .where('id', '=', subject.agentToken.id)
      .execute();
    recordCluster(context, subject.cluster, 'agent-token.revoke', { agent_token: subject.agentToken.id });
    return subject;
  },
});

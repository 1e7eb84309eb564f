import { defineOperation } from '../operation.js';
import { agentTokenInput, type AgentTokenSubject, findAgentToken } from './find-agent-token.js';
import { recordCluster } from './record.js';

/** Revokes an agent token: no agent registers with it any more, those that have are not sent away (rulings 13). */
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
    await context.db.updateTable('agent_tokens').set({ revokedAt: context.now }).where('id', '=', subject.agentToken.id).execute();
    recordCluster(context, subject.cluster, 'agent-token.revoke', { agent_token: subject.agentToken.id });
    return subject;
  },
});

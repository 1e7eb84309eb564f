import { limits } from '../../../domain/limits/limits.js';
import { text } from '../../../domain/input-text.js';
import { defineOperation } from '../../../core/operation.js';
import {
  agentTokenInput,
  type AgentTokenSubject,
  findAgentToken,
} from '../../../resources/agents/agent-tokens/find-agent-token.js';
import { agentTokenColumns } from '../../../resources/agents/agent-tokens/agent-token.js';
import { recordCluster } from '../../../resources/agents/clusters/record.js';

/** Revokes an agent token: no further agent can register with it. Agents that already registered stay connected. */
export const revokeAgentToken = defineOperation({
  name: 'agent-token.revoke',
  summary: 'Revokes an agent token of a cluster.',
  kind: 'command',
  scope: 'write_clusters',
  access: 'maintain',
  refusal: 'sentence',
  /** `reason` is kept and shown with the revoked token. */
  input: agentTokenInput.extend({ reason: text(limits.descriptionLength).nullish() }),
  subject: (context, input) => findAgentToken(context, input, { lock: true }),
  run: async (context, { reason }, subject: AgentTokenSubject): Promise<AgentTokenSubject> => {
    const agentToken = await context.db
      .updateTable('agent_tokens')
      .set({ revokedAt: context.now, revokedById: context.userId, revokedReason: reason ?? null })
      .where('id', '=', subject.agentToken.id)
      .returning([...agentTokenColumns])
      .executeTakeFirstOrThrow();
    recordCluster(context, subject.cluster, 'agent-token.revoke', { agent_token: subject.agentToken.id });
    return { ...subject, agentToken };
  },
});

import { blockAgents } from '../../../resources/agents/block-agents.js';
import { defineOperation } from '../../../core/operation.js';
import { agentTokenColumns } from '../../../resources/agents/agent-tokens/agent-token.js';
import { agentTokenFields } from '../../../resources/agents/agent-tokens/fields.js';
import {
  agentTokenInput,
  type AgentTokenSubject,
  findAgentToken,
} from '../../../resources/agents/agent-tokens/find-agent-token.js';
import { recordCluster } from '../../../resources/agents/clusters/record.js';

/** Updates the description and address restrictions of an agent token; its value and expiry stay. */
export const updateAgentToken = defineOperation({
  name: 'agent-token.update',
  summary: 'Updates an agent token of a cluster.',
  kind: 'command',
  scope: 'write_clusters',
  access: 'maintain',
  refusal: 'sentence',
  input: agentTokenInput.extend({ ...agentTokenFields, description: agentTokenFields.description.optional() }),
  subject: (context, input) => findAgentToken(context, input, { lock: true }),
  run: async (context, request, subject: AgentTokenSubject): Promise<AgentTokenSubject> => {
    const agentToken = await context.db
      .updateTable('agent_tokens')
      .set({
        description: request.description ?? subject.agentToken.description,
        allowedIpAddresses:
          request.allowedIpAddresses === undefined ? subject.agentToken.allowedIpAddresses : request.allowedIpAddresses,
      })
      .where('id', '=', subject.agentToken.id)
      .returning([...agentTokenColumns])
      .executeTakeFirstOrThrow();
    if (request.allowedIpAddresses !== undefined) await blockAgents(context, agentToken);
    recordCluster(context, subject.cluster, 'agent-token.update', { agent_token: agentToken.id });
    return { ...subject, agentToken };
  },
});

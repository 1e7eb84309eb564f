import { defineOperation } from '../operation.js';
import { agentTokenColumns } from './agent-token.js';
import { agentTokenFields } from './agent-token-fields.js';
import { agentTokenInput, type AgentTokenSubject, findAgentToken } from './find-agent-token.js';
import { recordCluster } from './record.js';

/** Changes what is said of an agent token; its value and the time it expires stay (graphql-facts 6). */
export const updateAgentToken = defineOperation({
  name: 'agent-token.update',
  summary: 'Updates an agent token of a cluster.',
  kind: 'command',
  scope: 'write_clusters',
  access: 'maintain',
  refusal: 'sentence',
  input: agentTokenInput.extend({ ...agentTokenFields, description: agentTokenFields.description.optional() }),
  subject: (context, input) => findAgentToken(context, input, { lock: true }),
  run: async (context, given, subject: AgentTokenSubject): Promise<AgentTokenSubject> => {
    const agentToken = await context.db
      .updateTable('agent_tokens')
      .set({
        description: given.description ?? subject.agentToken.description,
        allowedIpAddresses: given.allowedIpAddresses === undefined ? subject.agentToken.allowedIpAddresses : given.allowedIpAddresses,
      })
      .where('id', '=', subject.agentToken.id)
      .returning([...agentTokenColumns])
      .executeTakeFirstOrThrow();
    recordCluster(context, subject.cluster, 'agent-token.update', { agent_token: agentToken.id });
    return { ...subject, agentToken };
  },
});

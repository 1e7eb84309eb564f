import { z } from 'zod';
import { idFromEither } from '../../domain/node-id.js';
import { inOrganization } from '../address.js';
import { defineOperation } from '../operation.js';
import { type AgentToken, agentTokenColumns } from './agent-token.js';
import { type ClusterSubject, findCluster } from './find-cluster.js';

interface AgentTokenSubject extends ClusterSubject {
  agentToken: AgentToken;
}

/** One agent token of a cluster (uuid or node id) without its value; a revoked one is gone. */
export const getAgentToken = defineOperation({
  name: 'agent-token.get',
  summary: 'Returns one agent token of a cluster.',
  kind: 'query',
  scope: 'read_clusters',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ agentToken: inOrganization, clusterId: z.string().max(300).nullish() }),
  subject: async (context, { agentToken: address, clusterId }): Promise<AgentTokenSubject | null> => {
    const id = idFromEither(address.id, ['ClusterToken', 'AgentToken']);
    if (id === null) return null;
    const agentToken = await context.db.selectFrom('agent_tokens').select([...agentTokenColumns]).where('id', '=', id).where('revokedAt', 'is', null).executeTakeFirst();
    if (!agentToken || (clusterId != null && idFromEither(clusterId, ['Cluster']) !== agentToken.clusterId)) return null;
    const found = await findCluster(context, { ...address, id: agentToken.clusterId });
    return found && { ...found, agentToken };
  },
  run: async (_context, _input, subject: AgentTokenSubject) => subject,
});

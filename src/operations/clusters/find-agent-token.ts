import { z } from 'zod';
import type { Context } from '../../context.js';
import { idFromEither } from '../../domain/node-id.js';
import { inOrganization } from '../address.js';
import { type AgentToken, agentTokenColumns } from './agent-token.js';
import { type ClusterSubject, findCluster } from './find-cluster.js';

export interface AgentTokenSubject extends ClusterSubject {
  agentToken: AgentToken;
}

/** `clusterId` says which cluster it must be of. */
export const agentTokenInput = z.object({ agentToken: inOrganization, clusterId: z.string().max(300).nullish() });

/** The agent token a caller names by uuid or node id, without its value; a revoked one is gone. */
export async function findAgentToken(context: Context, { agentToken: address, clusterId }: z.output<typeof agentTokenInput>, { lock = false } = {}): Promise<AgentTokenSubject | null> {
  const id = idFromEither(address.id, ['ClusterToken', 'AgentToken']);
  if (id === null) return null;
  const query = context.db.selectFrom('agent_tokens').select([...agentTokenColumns]).where('id', '=', id).where('revokedAt', 'is', null);
  const agentToken = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (!agentToken || (clusterId != null && idFromEither(clusterId, ['Cluster']) !== agentToken.clusterId)) return null;
  const found = await findCluster(context, { ...address, id: agentToken.clusterId });
  return found && { ...found, agentToken };
}

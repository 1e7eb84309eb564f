import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { idFromEither } from '../../../domain/node-id.js';
import { inOrganization } from '../../../core/address.js';
import { type AgentToken, agentTokenColumns } from './agent-token.js';
import { type ClusterSubject, findCluster } from '../clusters/find-cluster.js';

export interface AgentTokenSubject extends ClusterSubject {
  agentToken: AgentToken;
}

/** `clusterId`: the cluster that it must belong to. */
export const agentTokenInput = z.object({ agentToken: inOrganization, clusterId: z.string().max(300).nullish() });

/** Finds an unrevoked agent token by uuid or node id, without its value. */
export async function findAgentToken(
  context: Context,
  { agentToken: address, clusterId }: z.output<typeof agentTokenInput>,
  { lock = false } = {},
): Promise<AgentTokenSubject | null> {
  const id = idFromEither(address.id, ['ClusterToken', 'AgentToken']);
  if (id === null) return null;
  const query = context.db
    .selectFrom('agent_tokens')
    .select([...agentTokenColumns])
    .where('id', '=', id)
    .where('revokedAt', 'is', null);
  const agentToken = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (!agentToken || (clusterId != null && idFromEither(clusterId, ['Cluster']) !== agentToken.clusterId)) return null;
  const parent = await findCluster(context, { ...address, id: agentToken.clusterId });
  return parent && { ...parent, agentToken };
}

import { z } from 'zod';
import { inOrganization } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import { oneOf } from '../../../domain/input-text.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import { type AgentToken, agentTokenColumns } from '../../../resources/agents/agent-tokens/agent-token.js';
import { type ClusterSubject, findCluster } from '../../../resources/agents/clusters/find-cluster.js';

/**
 * Lists the agent tokens of a cluster, newest first, without their values; `revoked` says which, by default those that
 * are not.
 */
export const listAgentTokens = defineOperation({
  name: 'agent-token.list',
  summary: 'Lists the agent tokens of a cluster.',
  kind: 'query',
  scope: 'read_clusters',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    cluster: inOrganization,
    revoked: oneOf(['no', 'only', 'also']).default('no'),
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { cluster }) => findCluster(context, cluster),
  run: async (context, request, { cluster }: ClusterSubject): Promise<Page<AgentToken>> => {
    const query = context.db
      .selectFrom('agent_tokens')
      .select([...agentTokenColumns])
      .where('clusterId', '=', cluster.id)
      .$if(request.revoked === 'no', (tokens) => tokens.where('revokedAt', 'is', null))
      .$if(request.revoked === 'only', (tokens) => tokens.where('revokedAt', 'is not', null));
    return paginate<AgentToken>(context.db, query, newestFirst('id'), request.paging);
  },
});

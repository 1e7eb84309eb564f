import { z } from 'zod';
import { inOrganization } from '../address.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../paging.js';
import { type AgentToken, agentTokenColumns } from './agent-token.js';
import { type ClusterSubject, findCluster } from './find-cluster.js';

/** The agent tokens of a cluster that are not revoked, newest first, without their values. */
export const listAgentTokens = defineOperation({
  name: 'agent-token.list',
  summary: 'Lists the agent tokens of a cluster.',
  kind: 'query',
  scope: 'read_clusters',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ cluster: inOrganization, paging: paging.default(defaultPaging) }),
  subject: (context, { cluster }) => findCluster(context, cluster),
  run: async (context, given, { cluster }: ClusterSubject): Promise<Page<AgentToken>> => {
    const query = context.db.selectFrom('agent_tokens').select([...agentTokenColumns]).where('clusterId', '=', cluster.id).where('revokedAt', 'is', null);
    return paginate<AgentToken>(context.db, query, newestFirst('id'), given.paging);
  },
});

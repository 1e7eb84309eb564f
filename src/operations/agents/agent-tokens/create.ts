import { z } from 'zod';
import { hashToken, newToken, tokenPrefixes } from '../../../auth/secrets.js';
import { invalidField } from '../../../domain/problem.js';
import { inOrganization } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import { agentTokenColumns } from '../../../resources/agents/agent-tokens/agent-token.js';
import { agentTokenExpiry, agentTokenFields } from '../../../resources/agents/agent-tokens/fields.js';
import type { AgentTokenSubject } from '../../../resources/agents/agent-tokens/find-agent-token.js';
import { type ClusterSubject, findCluster } from '../../../resources/agents/clusters/find-cluster.js';
import { recordCluster } from '../../../resources/agents/clusters/record.js';

export interface CreatedAgentToken extends AgentTokenSubject {
  /** The token's value. Returned by this operation only; the database stores its hash. */
  value: string;
}

/** Creates a token that agents of a cluster register with. */
export const createAgentToken = defineOperation({
  name: 'agent-token.create',
  summary: 'Creates an agent token of a cluster.',
  kind: 'command',
  scope: 'write_clusters',
  access: 'maintain',
  refusal: 'sentence',
  input: z.object({ cluster: inOrganization, ...agentTokenFields, expiresAt: agentTokenExpiry }),
  // Its lock keeps the cluster from being deleted meanwhile.
  subject: (context, { cluster }) => findCluster(context, cluster, { lock: true }),
  run: async (context, request, subject: ClusterSubject): Promise<CreatedAgentToken> => {
    const { cluster } = subject;
    if (request.expiresAt && request.expiresAt <= context.now) throw invalidField('expiresAt', 'must be in the future');
    const value = newToken(tokenPrefixes.agentRegistration);
    const agentToken = await context.db
      .insertInto('agent_tokens')
      .values({
        id: context.newId(),
        organizationId: cluster.organizationId,
        clusterId: cluster.id,
        description: request.description,
        tokenHash: hashToken(value),
        allowedIpAddresses: request.allowedIpAddresses ?? null,
        expiresAt: request.expiresAt ?? null,
        createdById: context.userId,
        createdAt: context.now,
      })
      .returning([...agentTokenColumns])
      .executeTakeFirstOrThrow();
    recordCluster(context, cluster, 'agent-token.create', { agent_token: agentToken.id });
    return { ...subject, agentToken, value };
  },
});

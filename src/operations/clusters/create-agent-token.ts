import { z } from 'zod';
import { hashToken, newToken, tokenPrefixes } from '../../auth/secrets.js';
import { invalidField } from '../../domain/problem.js';
import { inOrganization } from '../address.js';
import { defineOperation } from '../operation.js';
import { agentTokenColumns } from './agent-token.js';
import { agentTokenExpiry, agentTokenFields } from './agent-token-fields.js';
import type { AgentTokenSubject } from './find-agent-token.js';
import { type ClusterSubject, findCluster } from './find-cluster.js';
import { recordCluster } from './record.js';

export interface CreatedAgentToken extends AgentTokenSubject {
  /** Handed out this once; only its hash is kept. */
  value: string;
}

/** Issues a token that agents of a cluster register with (rest-facts 3.6). */
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
  run: async (context, given, subject: ClusterSubject): Promise<CreatedAgentToken> => {
    const { cluster } = subject;
    if (given.expiresAt && given.expiresAt <= context.now) throw invalidField('expiresAt', 'must be in the future');
    const value = newToken(tokenPrefixes.agentRegistration);
    const agentToken = await context.db
      .insertInto('agent_tokens')
      .values({
        id: context.newId(),
        organizationId: cluster.organizationId,
        clusterId: cluster.id,
        description: given.description,
        tokenHash: hashToken(value),
        allowedIpAddresses: given.allowedIpAddresses ?? null,
        expiresAt: given.expiresAt ?? null,
        createdById: context.userId,
        createdAt: context.now,
      })
      .returning([...agentTokenColumns])
      .executeTakeFirstOrThrow();
    recordCluster(context, cluster, 'agent-token.create', { agent_token: agentToken.id });
    return { ...subject, agentToken, value };
  },
});

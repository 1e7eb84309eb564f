import type { AgentTokenRow } from '../../entities/database.js';

/** An agent token of a cluster without what is kept of its value. */
export type AgentToken = Omit<AgentTokenRow, 'tokenHash'>;

export const agentTokenColumns = [
  'id', 'organizationId', 'clusterId', 'description', 'allowedIpAddresses', 'expiresAt', 'revokedAt', 'createdById', 'createdAt',
] as const satisfies readonly (keyof AgentToken)[];

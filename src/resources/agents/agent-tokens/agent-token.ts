import type { ShownAgentTokenRow } from '../../../entities/database.js';

/** An agent token of a cluster without its hash. */
export type AgentToken = ShownAgentTokenRow;

export const agentTokenColumns = [
  'id',
  'organizationId',
  'clusterId',
  'description',
  'allowedIpAddresses',
  'expiresAt',
  'revokedAt',
  'revokedById',
  'revokedReason',
  'createdById',
  'createdAt',
] as const satisfies readonly (keyof AgentToken)[];

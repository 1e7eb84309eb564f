import { defineEntity, p } from '@mikro-orm/core';
import { at, atOrNull, idOrNull, textOrNull } from '../columns.js';

/** The registration token of a cluster's agents. */
export const AgentTokenSchema = defineEntity({
  name: 'AgentToken',
  tableName: 'agent_tokens',
  indexes: [{ properties: ['clusterId', 'id'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid().index(),
    clusterId: p.uuid(),
    description: p.text(),
    tokenHash: p.text().unique(),
    allowedIpAddresses: textOrNull(),
    expiresAt: atOrNull(),
    revokedAt: atOrNull(),
    revokedById: idOrNull(),
    revokedReason: textOrNull(),
    createdById: idOrNull(),
    createdAt: at(),
  },
});

import { defineEntity, p } from '@mikro-orm/core';
import { at, atOrNull, idOrNull, textOrNull } from '../columns.js';

export const ClusterQueueSchema = defineEntity({
  name: 'ClusterQueue',
  tableName: 'cluster_queues',
  uniques: [{ properties: ['clusterId', 'key'] }],
  indexes: [{ properties: ['organizationId'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    clusterId: p.uuid(),
    key: p.text(),
    description: textOrNull(),
    retryAgentAffinity: p.text().$type<'prefer-warmest' | 'prefer-different'>().default('prefer-warmest'),
    dispatchPausedAt: atOrNull(),
    dispatchPausedById: idOrNull(),
    dispatchPausedNote: textOrNull(),
    /** What an hour of an agent costs, in the currency that the organization counts in; null where nobody has said. */
    pricePerAgentHour: p.double().$type<number>().nullable(),
    createdById: idOrNull(),
    createdAt: at(),
  },
});

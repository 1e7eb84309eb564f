import { defineEntity, p } from '@mikro-orm/core';
import { at, idOrNull, textOrNull } from '../columns.js';

export const ClusterSchema = defineEntity({
  name: 'Cluster',
  tableName: 'clusters',
  uniques: [{ properties: ['organizationId', 'name'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    name: p.text(),
    description: textOrNull(),
    emoji: textOrNull(),
    color: textOrNull(),
    defaultQueueId: idOrNull(),
    createdById: idOrNull(),
    createdAt: at(),
  },
});

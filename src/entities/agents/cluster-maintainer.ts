import { defineEntity, p } from '@mikro-orm/core';
import { at, idOrNull } from '../columns.js';

/** A user or team that may change a cluster, besides administrators. */
export const ClusterMaintainerSchema = defineEntity({
  name: 'ClusterMaintainer',
  tableName: 'cluster_maintainers',
  uniques: [{ properties: ['clusterId', 'userId'] }, { properties: ['clusterId', 'teamId'] }],
  indexes: [{ properties: ['clusterId', 'id'] }, { properties: ['teamId'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    clusterId: p.uuid(),
    userId: idOrNull(),
    teamId: idOrNull(),
    createdById: idOrNull(),
    createdAt: at(),
  },
});

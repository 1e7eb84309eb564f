import { defineEntity, p } from '@mikro-orm/core';
import { at } from './columns.js';

/** How often triggers of an organization were used in an hour: what holds the limit on any number of replicas. */
export const TriggerUsageSchema = defineEntity({
  name: 'TriggerUsage',
  tableName: 'trigger_usage',
  properties: {
    organizationId: p.uuid().primary(),
    /** The hour counted, from its start. */
    startedAt: at(),
    count: p.integer(),
  },
});

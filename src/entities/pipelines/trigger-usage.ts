import { defineEntity, p } from '@mikro-orm/core';
import { at } from '../columns.js';

/** Uses of an organization's triggers in an hour, which the limit is checked against on any number of replicas. */
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

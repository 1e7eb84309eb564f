import { defineEntity, p } from '@mikro-orm/core';
import { at } from '../columns.js';

/**
 * Requests to /v2 in the latest window, one row for each active user and organization, by which replicas share rate
 * limits. The table is unlogged: after a crash the counts of a minute are worthless.
 */
export const RateLimitCountSchema = defineEntity({
  name: 'RateLimitCount',
  tableName: 'rate_limit_counts',
  properties: {
    /** Of a user or of an organization. */
    subjectId: p.uuid().primary(),
    windowStart: at(),
    requests: p.integer(),
  },
});

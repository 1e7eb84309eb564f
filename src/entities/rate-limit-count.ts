import { defineEntity, p } from '@mikro-orm/core';
import { at } from './columns.js';

/**
 * Requests to /v2 in the latest window, one row for each user and each organization that has asked: what replicas share
 * of their rate limits (rulings 12). Its table is unlogged: after a crash a minute's counts are worth nothing.
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

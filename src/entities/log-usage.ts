import { defineEntity, p } from '@mikro-orm/core';

/** How much of a log is stored: kept beside its chunks, so that taking one more does not count them all. */
export const LogUsageSchema = defineEntity({
  name: 'LogUsage',
  tableName: 'log_usage',
  properties: {
    jobId: p.uuid().primary(),
    organizationId: p.uuid(),
    entries: p.integer(),
    bytes: p.bigint('number'),
  },
});

import { defineEntity, p } from '@mikro-orm/core';

/** Stored size of a log, so that adding a chunk does not need to count all of them. */
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

import { defineEntity, p } from '@mikro-orm/core';

/** Group header times that agents without line timestamps send by themselves. */
export const LogHeaderTimeSchema = defineEntity({
  name: 'LogHeaderTime',
  tableName: 'log_header_times',
  properties: {
    jobId: p.uuid().primary(),
    headerIndex: p.integer().primary(),
    organizationId: p.uuid(),
    /** Nanoseconds since the epoch, as text, because they exceed the precision of a double. */
    nanoseconds: p.text(),
  },
});

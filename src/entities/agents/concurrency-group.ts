import { defineEntity, p } from '@mikro-orm/core';

/** A row to lock while a concurrency group gives out its slots. */
export const ConcurrencyGroupSchema = defineEntity({
  name: 'ConcurrencyGroup',
  tableName: 'concurrency_groups',
  properties: {
    organizationId: p.uuid().primary(),
    name: p.text().primary(),
  },
});

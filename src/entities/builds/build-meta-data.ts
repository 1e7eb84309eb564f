import { defineEntity, p } from '@mikro-orm/core';

export const BuildMetaDataSchema = defineEntity({
  name: 'BuildMetaData',
  tableName: 'build_meta_data',
  indexes: [{ properties: ['organizationId', 'key'] }],
  properties: {
    buildId: p.uuid().primary(),
    key: p.text().primary(),
    organizationId: p.uuid(),
    value: p.text(),
  },
});

import { defineEntity, p } from '@mikro-orm/core';

export const BuildMetaDataSchema = defineEntity({
  name: 'BuildMetaData',
  tableName: 'build_meta_data',
  indexes: [
    { properties: ['organizationId', 'key'] },
    {
      // Values are longer than an index takes, so it holds a number made of them.
      name: 'build_meta_data_value_index',
      properties: ['key', 'value', 'buildId'],
      expression:
        `create index "build_meta_data_value_index" on "build_meta_data" ("key", ` +
        `hashtextextended("value", 0), "build_id")`,
    },
  ],
  properties: {
    buildId: p.uuid().primary(),
    key: p.text().primary(),
    organizationId: p.uuid(),
    value: p.text(),
  },
});

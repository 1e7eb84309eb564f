import { defineEntity, p } from '@mikro-orm/core';

/** Which programs work with the schema although they do not know all of its migrations: one row. */
export const SchemaCompatibilitySchema = defineEntity({
  name: 'SchemaCompatibility',
  tableName: 'schema_compatibility',
  properties: {
    /** `this`: there is no other row. */
    name: p.text().primary(),
    /** Newest migration that a program must know. */
    oldestMigration: p.text(),
  },
});

import { defineEntity, p } from '@mikro-orm/core';
import { at } from '../columns.js';

/**
 * What this database says of its installation: one row, made at the first start. No migration makes it, because new
 * embedded databases begin as copies of one that was migrated.
 */
export const InstallationSchema = defineEntity({
  name: 'Installation',
  tableName: 'installations',
  properties: {
    /** `this`: there is no other row. */
    name: p.text().primary(),
    /** Carried by the storage too, which no other installation may use. */
    installationId: p.uuid(),
    /** Counts up while the storage is looked after; the storage carries a former value, never a later one. */
    storageStamp: p.bigint('number').default(0),
    createdAt: at(),
  },
});

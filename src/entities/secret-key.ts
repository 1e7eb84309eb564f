import { defineEntity, p } from '@mikro-orm/core';
import { at, atOrNull } from './columns.js';

/** Secret keys that values of this database are sealed with; a server that lacks one of them does not start. */
export const SecretKeySchema = defineEntity({
  name: 'SecretKey',
  tableName: 'secret_keys',
  properties: {
    /** Identifier of the key, derived by `auth/secret-keys.ts`; the key cannot be computed from it. */
    id: p.text().primary(),
    createdAt: at(),
    /** When a running server last said that it seals with this key, by the database's clock. */
    usedAt: atOrNull(),
  },
});

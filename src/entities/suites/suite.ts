import { defineEntity, p } from '@mikro-orm/core';
import { at, idOrNull, textOrNull } from '../columns.js';

export const SuiteSchema = defineEntity({
  name: 'Suite',
  tableName: 'suites',
  uniques: [{ properties: ['organizationId', 'slug'] }],
  indexes: [{ properties: ['organizationId', 'id'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    slug: p.text(),
    name: p.text(),
    defaultBranch: p.text(),
    applicationName: textOrNull(),
    color: textOrNull(),
    emoji: textOrNull(),
    /** Hash of the upload token. */
    tokenHash: p.text().unique(),
    /** The token encrypted, to be shown again; of a suite from a provisioning file only the hash is stored. */
    tokenSealed: textOrNull(),
    createdById: idOrNull(),
    createdAt: at(),
  },
});

import { defineEntity, p } from '@mikro-orm/core';
import { at, idOrNull } from './columns.js';

export const SuiteSchema = defineEntity({
  name: 'Suite',
  tableName: 'suites',
  uniques: [{ properties: ['organizationId', 'slug'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    slug: p.text(),
    name: p.text(),
    defaultBranch: p.text(),
    /** Hash of the upload token; the token itself is not kept. */
    tokenHash: p.text().unique(),
    createdById: idOrNull(),
    createdAt: at(),
  },
});

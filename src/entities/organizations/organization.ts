import { defineEntity, p } from '@mikro-orm/core';
import { at, idOrNull } from '../columns.js';

export const OrganizationSchema = defineEntity({
  name: 'Organization',
  tableName: 'organizations',
  properties: {
    id: p.uuid().primary(),
    slug: p.text().unique(),
    name: p.text(),
    plan: p.text().$type<'standard' | 'enterprise'>().default('standard'),
    teamsEnabled: p.boolean().default(false),
    /** Taken when a pipeline is created without `cluster_id`, as older clients do. */
    defaultClusterId: idOrNull(),
    defaultTimeoutInMinutes: p.integer().nullable(),
    maximumTimeoutInMinutes: p.integer().nullable(),
    scheduledJobExpiryInMinutes: p.integer().default(43_200),
    createdAt: at(),
  },
});

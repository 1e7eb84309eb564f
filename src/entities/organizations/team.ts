import { defineEntity, p } from '@mikro-orm/core';
import { at, idOrNull, textOrNull } from '../columns.js';

export const TeamSchema = defineEntity({
  name: 'Team',
  tableName: 'teams',
  uniques: [{ properties: ['organizationId', 'slug'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    slug: p.text(),
    name: p.text(),
    description: textOrNull(),
    privacy: p.text().$type<'visible' | 'secret'>().default('visible'),
    isDefault: p.boolean().default(false),
    defaultMemberRole: p.text().$type<'member' | 'maintainer'>().default('member'),
    membersCanCreatePipelines: p.boolean().default(true),
    membersCanCreateSuites: p.boolean().default(true),
    membersCanCreateRegistries: p.boolean().default(true),
    membersCanDestroyRegistries: p.boolean().default(false),
    membersCanDestroyPackages: p.boolean().default(false),
    createdById: idOrNull(),
    createdAt: at(),
  },
});

import { defineEntity, p } from '@mikro-orm/core';
import { at, idOrNull } from './columns.js';

export const OrganizationMemberSchema = defineEntity({
  name: 'OrganizationMember',
  tableName: 'organization_members',
  uniques: [{ properties: ['organizationId', 'userId'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    userId: p.uuid().index(),
    role: p.text().$type<'admin' | 'member'>(),
    createdById: idOrNull(),
    createdAt: at(),
  },
});

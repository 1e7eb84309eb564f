import { defineEntity, p } from '@mikro-orm/core';
import { at, idOrNull } from '../columns.js';

export const TeamMemberSchema = defineEntity({
  name: 'TeamMember',
  tableName: 'team_members',
  uniques: [{ properties: ['teamId', 'userId'] }],
  indexes: [{ properties: ['organizationId', 'userId'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    teamId: p.uuid(),
    userId: p.uuid(),
    role: p.text().$type<'member' | 'maintainer'>(),
    createdById: idOrNull(),
    createdAt: at(),
  },
});

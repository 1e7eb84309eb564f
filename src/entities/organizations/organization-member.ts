import { defineEntity, p } from '@mikro-orm/core';
import type { SsoMode } from '../../domain/organizations/sso-mode.js';
import { at, idOrNull } from '../columns.js';

export const OrganizationMemberSchema = defineEntity({
  name: 'OrganizationMember',
  tableName: 'organization_members',
  uniques: [{ properties: ['organizationId', 'userId'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    userId: p.uuid().index(),
    role: p.text().$type<'admin' | 'member'>(),
    /** Sign-in mode required of the member once sign-in through another service exists. */
    ssoMode: p.text().$type<SsoMode>().default('optional'),
    createdById: idOrNull(),
    createdAt: at(),
  },
});

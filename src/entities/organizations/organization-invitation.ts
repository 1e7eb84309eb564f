import { defineEntity, p } from '@mikro-orm/core';
import type { SsoMode } from '../../domain/organizations/sso-mode.js';
import { at, atOrNull, idOrNull, json } from '../columns.js';

/** A team that somebody joins with an invitation, and as what. */
export interface InvitedTeam {
  id: string;
  role: 'member' | 'maintainer';
}

/**
 * An invitation to join an organization. A person who has its address may accept it once; only the hash of the address
 * is stored.
 */
export const OrganizationInvitationSchema = defineEntity({
  name: 'OrganizationInvitation',
  tableName: 'organization_invitations',
  indexes: [{ properties: ['organizationId', 'id'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    email: p.text(),
    role: p.text().$type<'admin' | 'member'>(),
    ssoMode: p.text().$type<SsoMode>(),
    teams: json<InvitedTeam[]>(),
    tokenHash: p.text().unique(),
    createdById: idOrNull(),
    createdAt: at(),
    /** Until when its present address counts. */
    expiresAt: at(),
    acceptedAt: atOrNull(),
    acceptedById: idOrNull(),
    revokedAt: atOrNull(),
    revokedById: idOrNull(),
  },
});

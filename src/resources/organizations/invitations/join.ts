import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import { recordProvenAudit } from '../../../core/audit.js';
import { joinDefaultTeams } from '../teams/join-default-teams.js';
import { type Invitation, invitationColumns, recordInvitation } from './invitation.js';

/**
 * Makes a user a member as a pending invitation says, whose row the caller has locked: with its role, in its teams that
 * there still are, and in the default teams. Who is a member already keeps what they have.
 */
export async function joinByInvitation(context: Context, invitation: Invitation, userId: string): Promise<void> {
  const { organizationId, role, ssoMode, createdById } = invitation;
  const createdAt = context.now;
  const joined = await context.db
    .insertInto('organization_members')
    .values({ id: context.newId(), organizationId, userId, role, ssoMode, createdById, createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (joined) {
    await joinTeams(context, invitation, userId);
    await joinDefaultTeams(context, organizationId, userId);
  }
  await context.db
    .updateTable('organization_invitations')
    .set({ acceptedAt: context.now, acceptedById: userId })
    .where('id', '=', invitation.id)
    .execute();
  recordInvitation(context, invitation, 'organization-invitation.accept');
  recordProvenAudit(context, {
    organizationId,
    operation: 'organization-invitation.accept',
    userId,
    subject: { noun: 'organization-invitation', id: invitation.id, name: null },
  });
}

async function joinTeams(context: Context, invitation: Invitation, userId: string): Promise<void> {
  const roles = new Map(invitation.teams.map(({ id, role }) => [id, role]));
  if (roles.size === 0) return;
  const teams = await context.db
    .selectFrom('teams')
    .select('id')
    .where('organizationId', '=', invitation.organizationId)
    .where('id', 'in', [...roles.keys()])
    .orderBy('id')
    .forKeyShare()
    .execute();
  if (teams.length === 0) return;
  const { organizationId, createdById } = invitation;
  const rows = teams.map(({ id }) => ({
    id: context.newId(),
    organizationId,
    teamId: id,
    userId,
    role: roles.get(id) ?? 'member',
    createdById,
    createdAt: context.now,
  }));
  await context.db
    .insertInto('team_members')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Locks and returns the pending invitations to an email address, in any spelling of its letters' case. */
export function pendingInvitations(context: Context, email: string): Promise<Invitation[]> {
  return context.db
    .selectFrom('organization_invitations')
    .select(invitationColumns)
    .where(sql<boolean>`lower(email) = ${email.toLowerCase()}`)
    .where('acceptedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', context.now)
    .orderBy('id')
    .forUpdate()
    .execute();
}

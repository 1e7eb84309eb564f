import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { oneOf, text } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import { idFromEither } from '../../../domain/node-id.js';
import { ssoModes } from '../../../domain/organizations/sso-mode.js';
import { invalidField } from '../../../domain/problem.js';
import type { InvitedTeam } from '../../../entities/organizations/organization-invitation.js';
import {
  type AddressedInvitation,
  invitationColumns,
  newAddress,
  recordInvitation,
} from '../../../resources/organizations/invitations/invitation.js';
import { teamRole } from '../../../resources/organizations/teams/fields.js';
import { emailAddress } from '../../../resources/organizations/users/account.js';

const input = z.object({
  organization: organizationAddress,
  emails: z
    .array(emailAddress)
    .min(1, 'must not be empty')
    .max(limits.pendingInvitations, `has more than ${limits.pendingInvitations} addresses`),
  role: oneOf(['admin', 'member']).nullish(),
  ssoMode: oneOf(ssoModes).nullish(),
  /** Teams that the invited join beside the default ones; each by uuid or node id. */
  teams: z
    .array(z.object({ id: text(300), role: teamRole.nullish() }))
    .max(limits.filterValues)
    .nullish(),
});

export interface CreatedInvitations extends OrganizationSubject {
  /** In the order of the addresses. */
  invitations: AddressedInvitation[];
  /** The first of them. */
  organizationInvitation: AddressedInvitation | undefined;
}

/**
 * Invites people to an organization, all of them or nobody: each gets an address that the caller hands over, which
 * counts once, for `invitationDays`. Refuses members, addresses that are invited already, and more than
 * `pendingInvitations` that wait.
 */
export const createInvitations = defineOperation({
  name: 'organization-invitation.create',
  summary: 'Invites people to join an organization.',
  kind: 'command',
  scope: 'write_organization_invitations',
  access: 'admin',
  refusal: 'sentence',
  input,
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, request, { organization }: OrganizationSubject): Promise<CreatedInvitations> => {
    const emails = [...new Map(request.emails.map((email) => [email.toLowerCase(), email])).values()];
    // Under its lock, so that what waits is counted once.
    await context.db
      .selectFrom('organizations')
      .select('id')
      .where('id', '=', organization.id)
      .forNoKeyUpdate()
      .execute();
    await refuseKnown(context, organization.id, emails);
    const teams = await teamsOf(context, organization.id, request.teams ?? []);
    const invitations: AddressedInvitation[] = [];
    for (const email of emails) {
      const { stored, acceptUrl } = newAddress(context);
      const invitation = await context.db
        .insertInto('organization_invitations')
        .values({
          id: context.newId(),
          organizationId: organization.id,
          email,
          role: request.role ?? 'member',
          ssoMode: request.ssoMode ?? 'optional',
          teams,
          ...stored,
          createdById: context.userId,
          createdAt: context.now,
        })
        .returning(invitationColumns)
        .executeTakeFirstOrThrow();
      invitations.push({ ...invitation, acceptUrl });
      recordInvitation(context, invitation, 'organization-invitation.create');
    }
    return { organization, invitations, organizationInvitation: invitations[0] };
  },
});

async function refuseKnown(context: Context, organizationId: string, emails: readonly string[]): Promise<void> {
  const lower = emails.map((email) => email.toLowerCase());
  const member = await context.db
    .selectFrom('organization_members as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .select('u.email')
    .where('m.organizationId', '=', organizationId)
    .where((eb) => eb(eb.fn<string>('lower', ['u.email']), 'in', lower))
    .executeTakeFirst();
  if (member) throw invalidField('emails', `${member.email} is a member already`);
  const pending = await context.db
    .selectFrom('organization_invitations')
    .select('email')
    .where('organizationId', '=', organizationId)
    .where('acceptedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', context.now)
    .execute();
  const invited = pending.find(({ email }) => lower.includes(email.toLowerCase()));
  if (invited) throw invalidField('emails', `${invited.email} has already been invited`);
  if (pending.length + emails.length > limits.pendingInvitations)
    throw invalidField('emails', `at most ${limits.pendingInvitations} invitations can be pending`);
}

async function teamsOf(
  context: Context,
  organizationId: string,
  teams: readonly { id: string; role?: 'member' | 'maintainer' | null | undefined }[],
): Promise<InvitedTeam[]> {
  if (teams.length === 0) return [];
  const rows = await context.db
    .selectFrom('teams')
    .select(['id', 'defaultMemberRole'])
    .where('organizationId', '=', organizationId)
    .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  const invited = teams.map(({ id, role }): InvitedTeam => {
    const team = known.get(idFromEither(id, ['Team']) ?? '');
    if (!team) throw invalidField('teams', `${id} is not a team of the organization`);
    return { id: team.id, role: role ?? team.defaultMemberRole };
  });
  return [...new Map(invited.map((team) => [team.id, team])).values()];
}

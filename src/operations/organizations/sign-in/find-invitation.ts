import { z } from 'zod';
import { hashToken } from '../../../auth/secrets.js';
import { defineOperation } from '../../../core/operation.js';
import { invitationState } from '../../../domain/organizations/invitation.js';
import { Problem } from '../../../domain/problem.js';
import type { OrganizationRow } from '../../../entities/database.js';
import { type Invitation, invitationColumns } from '../../../resources/organizations/invitations/invitation.js';
import { countAttempt } from '../../../resources/organizations/sessions/sign-in-brake.js';
import { findAccount } from '../../../resources/organizations/users/account.js';

export const goneInvitation = () =>
  new Problem(
    'gone',
    'This invitation was used already, was revoked, or its time is over. Please ask for another one.',
  );

export interface OpenInvitation {
  invitation: Invitation;
  organization: OrganizationRow;
  /** Whether the invited email address has an account here. */
  hasAccount: boolean;
}

/** Returns the pending invitation of an address; throws `gone` alike for unknown, used, revoked and expired ones. */
export const findOpenInvitation = defineOperation({
  name: 'sign-in.find-invitation',
  summary: 'Finds the invitation of an address.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: z.object({ token: z.string().max(200) }),
  subject: async () => ({}),
  run: async (context, { token }): Promise<OpenInvitation> => {
    await countAttempt(context.services, { email: null, ipAddress: context.request.ipAddress ?? null });
    const invitation = await context.db
      .selectFrom('organization_invitations')
      .select(invitationColumns)
      .where('tokenHash', '=', hashToken(token))
      .executeTakeFirst();
    const organization = invitation && (await context.load.organization.load(invitation.organizationId));
    if (!invitation || !organization || invitationState(invitation, context.now) !== 'pending') throw goneInvitation();
    return { invitation, organization, hasAccount: (await findAccount(context, invitation.email)) !== null };
  },
});

import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { invitationState } from '../../../domain/organizations/invitation.js';
import { wrongState } from '../../../domain/problem.js';
import {
  type AddressedInvitation,
  findInvitation,
  invitationAddress,
  invitationColumns,
  type InvitationSubject,
  newAddress,
  recordInvitation,
} from '../../../resources/organizations/invitations/invitation.js';

export interface ResentInvitation extends OrganizationSubject {
  organizationInvitation: AddressedInvitation;
}

/** Gives a pending or expired invitation a new address, which counts from now on in place of the one before. */
export const resendInvitation = defineOperation({
  name: 'organization-invitation.resend',
  summary: 'Gives an invitation a new address.',
  kind: 'command',
  scope: 'write_organization_invitations',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ organizationInvitation: invitationAddress }),
  subject: (context, { organizationInvitation }) => findInvitation(context, organizationInvitation, { lock: true }),
  run: async (
    context,
    _input,
    { organization, organizationInvitation: before }: InvitationSubject,
  ): Promise<ResentInvitation> => {
    const state = invitationState(before, context.now);
    if (state === 'accepted' || state === 'revoked') throw wrongState(`The invitation was ${state} already`);
    const { stored, acceptUrl } = newAddress(context);
    const invitation = await context.db
      .updateTable('organization_invitations')
      .set(stored)
      .where('id', '=', before.id)
      .returning(invitationColumns)
      .executeTakeFirstOrThrow();
    recordInvitation(context, invitation, 'organization-invitation.resend');
    return { organization, organizationInvitation: { ...invitation, acceptUrl } };
  },
});

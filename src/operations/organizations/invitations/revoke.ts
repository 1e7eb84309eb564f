import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { invitationState } from '../../../domain/organizations/invitation.js';
import { wrongState } from '../../../domain/problem.js';
import {
  findInvitation,
  invitationAddress,
  invitationColumns,
  type InvitationSubject,
  recordInvitation,
} from '../../../resources/organizations/invitations/invitation.js';

/** Revokes a pending invitation: its address accepts nothing any more. */
export const revokeInvitation = defineOperation({
  name: 'organization-invitation.revoke',
  summary: 'Revokes an invitation to join an organization.',
  kind: 'command',
  scope: 'write_organization_invitations',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ organizationInvitation: invitationAddress }),
  subject: (context, { organizationInvitation }) => findInvitation(context, organizationInvitation, { lock: true }),
  run: async (context, _input, subject: InvitationSubject): Promise<InvitationSubject> => {
    const { organizationInvitation: before } = subject;
    const state = invitationState(before, context.now);
    if (state !== 'pending') throw wrongState(`The invitation is ${state}, not pending`);
    const organizationInvitation = await context.db
      .updateTable('organization_invitations')
      .set({ revokedAt: context.now, revokedById: context.userId })
      .where('id', '=', before.id)
      .returning(invitationColumns)
      .executeTakeFirstOrThrow();
    recordInvitation(context, organizationInvitation, 'organization-invitation.revoke');
    return { ...subject, organizationInvitation };
  },
});

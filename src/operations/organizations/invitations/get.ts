import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import {
  findInvitation,
  invitationAddress,
  type InvitationSubject,
} from '../../../resources/organizations/invitations/invitation.js';

/** Returns one invitation, without its address. */
export const getInvitation = defineOperation({
  name: 'organization-invitation.get',
  summary: 'Returns one invitation to join an organization.',
  kind: 'query',
  scope: 'read_organization_invitations',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ organizationInvitation: invitationAddress }),
  subject: (context, { organizationInvitation }) => findInvitation(context, organizationInvitation),
  run: async (_context, _input, subject): Promise<InvitationSubject> => subject,
});

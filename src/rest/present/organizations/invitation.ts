import type { Context } from '../../../context.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import { invitationState, invitationStates } from '../../../domain/organizations/invitation.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { AddressedInvitation, Invitation } from '../../../resources/organizations/invitations/invitation.js';
import { arrayOf, described, enumOf, nullable, object, text, time, url, uuid } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';

interface Shown {
  invitation: Invitation;
  now: Date;
}

const fields = {
  id: field(uuid, 'ID of the invitation.', ({ invitation }: Shown) => invitation.id),
  graphql_id: field(text, 'ID of the invitation in the GraphQL API.', ({ invitation }: Shown) =>
    encodeNodeId('OrganizationInvitation', invitation.id),
  ),
  email: field(text, 'Invited email address.', ({ invitation }: Shown) => invitation.email),
  role: field(
    enumOf('admin', 'member'),
    'Role that the invited will have in the organization.',
    ({ invitation }: Shown) => invitation.role,
  ),
  sso_mode: field(
    enumOf('optional', 'required'),
    'Whether the invited must sign in by single sign-on.',
    ({ invitation }: Shown) => invitation.ssoMode,
  ),
  teams: field(
    arrayOf(
      object({
        id: described(uuid, 'ID of the team.'),
        role: described(enumOf('member', 'maintainer'), 'Role of the invited in the team.'),
      }),
    ),
    'Teams that the invited will join, beside the default ones.',
    ({ invitation }: Shown) => invitation.teams.map(({ id, role }) => ({ id, role })),
  ),
  state: field(enumOf(...invitationStates), 'State of the invitation.', ({ invitation, now }: Shown) =>
    invitationState(invitation, now),
  ),
  created_at: field(time, 'Time the invitation was created.', ({ invitation }: Shown) =>
    formatTime(invitation.createdAt),
  ),
  expires_at: field(time, 'Time until which the address of the invitation counts.', ({ invitation }: Shown) =>
    formatTime(invitation.expiresAt),
  ),
  accepted_at: field(
    nullable(time),
    'Time the invitation was accepted; null before.',
    ({ invitation }: Shown) => invitation.acceptedAt && formatTime(invitation.acceptedAt),
  ),
  revoked_at: field(
    nullable(time),
    'Time the invitation was revoked; null before.',
    ({ invitation }: Shown) => invitation.revokedAt && formatTime(invitation.revokedAt),
  ),
};

/** An invitation to join an organization. */
export const invitationResource = resource<Shown>(fields);

/** The same with its address, which only creating and resending return. */
export const addressedInvitationResource = resource<Shown & { invitation: AddressedInvitation }>({
  ...fields,
  accept_url: field(
    url,
    'Address at which the invitation is accepted; hand it to the invited. Shown only here.',
    ({ invitation }: { invitation: AddressedInvitation }) => invitation.acceptUrl,
  ),
});

export const presentInvitation = ({ now }: Context, invitation: Invitation): Promise<JsonObject> =>
  invitationResource.present({ invitation, now });

export const presentAddressedInvitation = ({ now }: Context, invitation: AddressedInvitation): Promise<JsonObject> =>
  addressedInvitationResource.present({ invitation, now });

import type { Context } from '../../../request/context.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import { invitationState, invitationStates } from '../../../domain/organizations/invitation.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { AddressedInvitation, Invitation } from '../../../resources/organizations/invitations/invitation.js';
import {
  arrayOf,
  described,
  enumOf,
  nullable,
  object,
  reference,
  text,
  time,
  url,
  uuid,
} from '../../openapi/schema.js';
import { field, resource } from '../fields.js';
import { Urls } from '../urls.js';
import { existing, timeOrNull } from '../values.js';
import { presentUserById } from './user.js';

interface Shown {
  context: Context;
  invitation: Invitation;
}

const teamSchema = object({
  id: described(uuid, 'ID of the team.'),
  graphql_id: described(text, 'ID of the team in the GraphQL API.'),
  slug: described(text, 'Slug of the team.'),
  role: described(enumOf('member', 'maintainer'), 'Role of the invited in the team.'),
});

const fields = {
  id: field(uuid, 'ID of the invitation.', ({ invitation }: Shown) => invitation.id),
  graphql_id: field(text, 'ID of the invitation in the GraphQL API.', ({ invitation }: Shown) =>
    encodeNodeId('OrganizationInvitation', invitation.id),
  ),
  url: field(url, 'API URL of the invitation.', async ({ context, invitation }: Shown) => {
    const organization = existing(await context.load.organization.load(invitation.organizationId), 'an organization');
    return `${Urls.of(context).organization(organization).api}/invitations/${invitation.id}`;
  }),
  email: field(text, 'Invited email address.', ({ invitation }: Shown) => invitation.email),
  state: field(enumOf(...invitationStates), 'State of the invitation.', ({ context, invitation }: Shown) =>
    invitationState(invitation, context.now),
  ),
  role: field(
    enumOf('admin', 'member'),
    'Role that the invited will have in the organization.',
    ({ invitation }: Shown) => invitation.role,
  ),
  sso_mode: field(
    enumOf('optional', 'required'),
    'Whether only sessions that began with single sign-on will reach the organization.',
    ({ invitation }: Shown) => invitation.ssoMode,
  ),
  teams: field(
    arrayOf(teamSchema),
    'Teams that the invited will join, beside the default ones; without those deleted since.',
    ({ context, invitation }: Shown) => presentTeams(context, invitation),
  ),
  created_at: field(time, 'Time the invitation was created.', ({ invitation }: Shown) =>
    formatTime(invitation.createdAt),
  ),
  created_by: field(nullable(reference('User')), 'User who invited.', ({ context, invitation }: Shown) =>
    presentUserById(context, invitation.createdById),
  ),
  expires_at: field(time, 'Time until which the address of the invitation counts.', ({ invitation }: Shown) =>
    formatTime(invitation.expiresAt),
  ),
  accepted_at: field(nullable(time), 'Time the invitation was accepted; null before.', ({ invitation }: Shown) =>
    timeOrNull(invitation.acceptedAt),
  ),
  accepted_by: field(nullable(reference('User')), 'User who accepted; null before.', ({ context, invitation }: Shown) =>
    presentUserById(context, invitation.acceptedById),
  ),
  revoked_at: field(nullable(time), 'Time the invitation was revoked; null before.', ({ invitation }: Shown) =>
    timeOrNull(invitation.revokedAt),
  ),
  revoked_by: field(nullable(reference('User')), 'User who revoked; null before.', ({ context, invitation }: Shown) =>
    presentUserById(context, invitation.revokedById),
  ),
  expired_at: field(
    nullable(time),
    'Time the invitation expired; null before, and where it was accepted or revoked.',
    ({ context, invitation }: Shown) =>
      timeOrNull(invitationState(invitation, context.now) === 'expired' ? invitation.expiresAt : null),
  ),
};

async function presentTeams(context: Context, { teams }: Invitation): Promise<JsonObject[]> {
  const rows = await Promise.all(teams.map(({ id }) => context.load.team.load(id)));
  return rows.flatMap((team, index) =>
    team
      ? [
          {
            id: team.id,
            graphql_id: encodeNodeId('Team', team.id),
            slug: team.slug,
            role: teams[index]?.role ?? 'member',
          },
        ]
      : [],
  );
}

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

export const presentInvitation = (context: Context, invitation: Invitation): Promise<JsonObject> =>
  invitationResource.present({ context, invitation });

export const presentAddressedInvitation = (context: Context, invitation: AddressedInvitation): Promise<JsonObject> =>
  addressedInvitationResource.present({ context, invitation });

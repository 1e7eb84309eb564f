import { invitationStates } from '../../../domain/organizations/invitation.js';
import { createInvitations } from '../../../operations/organizations/invitations/create.js';
import { getInvitation } from '../../../operations/organizations/invitations/get.js';
import { listInvitations } from '../../../operations/organizations/invitations/list.js';
import { resendInvitation } from '../../../operations/organizations/invitations/resend.js';
import { revokeInvitation } from '../../../operations/organizations/invitations/revoke.js';
import { presentAddressedInvitation, presentInvitation } from '../../present/organizations/invitation.js';
import { readStretch } from '../../replies/cursor-page.js';
import { camelFields } from '../../requests/field-names.js';
import type { RestRequest } from '../../requests/request.js';
import { listRoute, type Route, route } from '../../route.js';
import { inOrganization } from '../addresses.js';

const all = '/organizations/{org}/invitations';
const one = `${all}/{invitation}`;

const ofInvitation = (request: RestRequest) => ({
  organizationInvitation: { organization: request.param('org'), id: request.param('invitation') },
});

/** Invitations to join an organization; without a filter the list has the pending ones. */
export const invitationRoutes: Route[] = [
  listRoute(listInvitations, {
    method: 'get',
    path: all,
    query: [
      {
        name: 'state',
        type: 'list',
        values: [...invitationStates],
        description: `Only invitations in these states (${invitationStates.join(', ')}); \`pending\` by default.`,
      },
    ],
    input: (request) => ({
      ...inOrganization(request),
      states: request.list('state') ?? ['pending'],
      paging: readStretch(request),
    }),
    reply: { kind: 'cursor', schema: 'OrganizationInvitation', present: presentInvitation },
  }),
  route(createInvitations, {
    method: 'post',
    path: all,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...inOrganization(request) }),
    reply: {
      kind: 'objects',
      status: 201,
      schema: 'AddressedOrganizationInvitation',
      present: (context, { invitations }) =>
        Promise.all(invitations.map((invitation) => presentAddressedInvitation(context, invitation))),
    },
  }),
  route(getInvitation, {
    method: 'get',
    path: one,
    input: ofInvitation,
    reply: {
      kind: 'object',
      status: 200,
      schema: 'OrganizationInvitation',
      present: (context, { organizationInvitation }) => presentInvitation(context, organizationInvitation),
    },
  }),
  route(resendInvitation, {
    method: 'put',
    path: `${one}/resend`,
    input: ofInvitation,
    reply: {
      kind: 'object',
      status: 200,
      schema: 'AddressedOrganizationInvitation',
      present: (context, { organizationInvitation }) => presentAddressedInvitation(context, organizationInvitation),
    },
  }),
  route(revokeInvitation, { method: 'delete', path: one, input: ofInvitation, reply: { kind: 'empty' } }),
];

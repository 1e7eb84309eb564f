import { listAccessTokens } from '../../../operations/organizations/api-tokens/list.js';
import { revokeTokenAccess } from '../../../operations/organizations/api-tokens/revoke-access.js';
import { readStretch } from '../../replies/cursor-page.js';
import { presentOrganizationToken } from '../../present/organizations/access-token.js';
import { listRoute, type Route, route } from '../../route.js';
import { inOrganization } from '../addresses.js';

const all = '/organizations/{org}/api-access-tokens';

/** Routes of API tokens that work in an organization: an addition to the compatible API, modeled on GraphQL. */
export const apiAccessTokenRoutes: Route[] = [
  listRoute(listAccessTokens, {
    method: 'get',
    path: all,
    input: (request) => ({ ...inOrganization(request), paging: readStretch(request) }),
    reply: { kind: 'cursor', schema: 'OrganizationAccessToken', present: presentOrganizationToken },
  }),
  route(revokeTokenAccess, {
    method: 'delete',
    path: `${all}/{api_token}`,
    input: (request) => ({ token: { ...inOrganization(request), id: request.param('api_token') } }),
    reply: { kind: 'empty' },
  }),
];

import { listAccessTokens } from '../../operations/tokens/list.js';
import { revokeTokenAccess } from '../../operations/tokens/revoke-access.js';
import { readStretch } from '../cursor-page.js';
import { presentOrganizationToken } from '../present/access-token.js';
import { listRoute, type Route, route } from '../route.js';
import { inOrganization } from './addresses.js';

const all = '/organizations/{org}/api-access-tokens';

/** Whose API tokens work in an organization: ours, after what the schema has (graphql-facts 4, Organization.apiAccessTokens). */
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

import { getAccessToken } from '../../../operations/organizations/api-tokens/get.js';
import { revokeAccessToken } from '../../../operations/organizations/api-tokens/revoke.js';
import { getUser } from '../../../operations/organizations/users/get.js';
import { getViewer } from '../../../operations/organizations/users/viewer.js';
import { presentAccessToken } from '../../present/organizations/access-token.js';
import { presentUser } from '../../present/organizations/user.js';
import { type Route, route } from '../../route.js';

/** The caller and its token, and people the caller shares an organization with. */
export const userRoutes: Route[] = [
  route(getAccessToken, {
    method: 'get',
    path: '/access-token',
    input: () => ({}),
    reply: {
      kind: 'object',
      status: 200,
      schema: 'AccessToken',
      present: async (_context, { token, user }) => presentAccessToken(token, user),
    },
  }),
  route(revokeAccessToken, { method: 'delete', path: '/access-token', input: () => ({}), reply: { kind: 'empty' } }),
  route(getViewer, {
    method: 'get',
    path: '/user',
    input: () => ({}),
    reply: {
      kind: 'object',
      status: 200,
      schema: 'User',
      present: async (context, user) => presentUser(context.services.baseUrl, user),
    },
  }),
  route(getUser, {
    method: 'get',
    path: '/users/{user}',
    input: (request) => ({ id: request.param('user') }),
    reply: {
      kind: 'object',
      status: 200,
      schema: 'User',
      present: async (context, user) => presentUser(context.services.baseUrl, user),
    },
  }),
];

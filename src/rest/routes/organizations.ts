import { getOrganization } from '../../operations/organizations/get.js';
import { listOrganizations } from '../../operations/organizations/list.js';
import { readPage } from '../pagination.js';
import { presentOrganization } from '../present/organization.js';
import { listRoute, type Route, route } from '../route.js';
import { inOrganization } from './addresses.js';

export const organizationRoutes: Route[] = [
  listRoute(listOrganizations, {
    method: 'get',
    path: '/organizations',
    input: (request) => ({ paging: readPage(request) }),
    reply: { kind: 'page', schema: 'Organization', present: presentOrganization },
  }),
  route(getOrganization, {
    method: 'get',
    path: '/organizations/{org}',
    input: inOrganization,
    reply: { kind: 'object', status: 200, schema: 'Organization', present: presentOrganization },
  }),
];

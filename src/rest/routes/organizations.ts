import { getOrganization } from '../../operations/organizations/get.js';
import { getPipelineSettings } from '../../operations/organizations/get-pipeline-settings.js';
import { listOrganizations } from '../../operations/organizations/list.js';
import { updatePipelineSettings } from '../../operations/organizations/update-pipeline-settings.js';
import { camelFields } from '../field-names.js';
import { readPage } from '../pagination.js';
import { presentOrganization, presentPipelineSettings } from '../present/organization.js';
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
  route(getPipelineSettings, {
    method: 'get',
    path: '/organizations/{org}/pipeline-settings',
    input: inOrganization,
    reply: { kind: 'object', status: 200, schema: 'PipelineSettings', present: async (_context, { organization }) => presentPipelineSettings(organization) },
  }),
  route(updatePipelineSettings, {
    method: 'patch',
    path: '/organizations/{org}/pipeline-settings',
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...inOrganization(request) }),
    reply: { kind: 'object', status: 200, schema: 'PipelineSettings', present: async (_context, { organization }) => presentPipelineSettings(organization) },
  }),
];

import type { Context } from '../../../request/context.js';
import { deleteOrganizationMember } from '../../../operations/organizations/members/delete.js';
import type { BannerSubject } from '../../../resources/organizations/banners/find-banner.js';
import type { MemberSubject } from '../../../resources/organizations/members/find-member.js';
import { deleteBuildExport } from '../../../operations/organizations/delete-build-export.js';
import { getOrganizationMember } from '../../../operations/organizations/members/get.js';
import { getOrganization } from '../../../operations/organizations/get.js';
import { deleteBanner } from '../../../operations/organizations/banners/delete.js';
import { getBanner } from '../../../operations/organizations/banners/get.js';
import { upsertBanner } from '../../../operations/organizations/banners/upsert.js';
import { getApiSettings } from '../../../operations/organizations/get-api-settings.js';
import { getRateLimits } from '../../../operations/organizations/get-rate-limits.js';
import { getPipelineSettings } from '../../../operations/organizations/get-pipeline-settings.js';
import { getStorage } from '../../../operations/organizations/get-storage.js';
import { listOrganizationMembers } from '../../../operations/organizations/members/list.js';
import { listOrganizations } from '../../../operations/organizations/list.js';
import { updateOrganizationMember } from '../../../operations/organizations/members/update.js';
import { setBuildExport } from '../../../operations/organizations/set-build-export.js';
import { setPublicPipelines } from '../../../operations/organizations/set-public-pipelines.js';
import { updateApiSettings } from '../../../operations/organizations/update-api-settings.js';
import { updatePipelineSettings } from '../../../operations/organizations/update-pipeline-settings.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import { presentOrganizationMember } from '../../present/organizations/organization-member.js';
import {
  presentApiSettings,
  presentBanner,
  presentOrganization,
  presentPipelineSettings,
  presentRateLimit,
} from '../../present/organizations/organization.js';
import { presentStorage } from '../../present/organizations/storage.js';
import type { RestRequest } from '../../requests/request.js';
import { listRoute, type Route, route } from '../../route.js';
import { inOrganization } from '../addresses.js';

const members = '/organizations/{org}/members';
const ofMember = (request: RestRequest) => ({
  organizationMember: { organization: request.param('org'), user: request.param('user') },
});
const present = (context: Context, { organizationMember }: MemberSubject) =>
  presentOrganizationMember(context, organizationMember);

const presentSettings = (context: Context, { organization }: OrganizationSubject) =>
  presentApiSettings(context, organization);

const publicPipelines = (method: 'put' | 'delete') =>
  route(setPublicPipelines, {
    method,
    path: '/organizations/{org}/pipeline-settings/public-pipelines',
    variant: method === 'put' ? 'enable' : 'disable',
    input: (request) => ({ ...inOrganization(request), enabled: method === 'put' }),
    reply: {
      kind: 'object',
      status: 200,
      schema: 'PipelineSettings',
      present: presentOfPipelines,
    },
  });

const buildExport = '/organizations/{org}/pipeline-settings/build-export';
const presentOfPipelines = (context: Context, { organization }: OrganizationSubject) =>
  presentPipelineSettings(context, organization);

const presentOne = (_context: Context, { banner }: BannerSubject) => presentBanner(banner);

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
  listRoute(listOrganizationMembers, {
    method: 'get',
    path: members,
    input: (request) => ({ ...inOrganization(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'OrganizationMember', present: presentOrganizationMember },
  }),
  route(getOrganizationMember, {
    method: 'get',
    path: `${members}/{user}`,
    input: ofMember,
    reply: { kind: 'object', status: 200, schema: 'OrganizationMember', present },
  }),
  route(updateOrganizationMember, {
    method: 'patch',
    path: `${members}/{user}`,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofMember(request) }),
    reply: { kind: 'object', status: 200, schema: 'OrganizationMember', present },
  }),
  route(deleteOrganizationMember, {
    method: 'delete',
    path: `${members}/{user}`,
    input: ofMember,
    reply: { kind: 'empty' },
  }),
  route(getApiSettings, {
    method: 'get',
    path: '/organizations/{org}/api-settings',
    input: inOrganization,
    reply: { kind: 'object', status: 200, schema: 'ApiSettings', present: presentSettings },
  }),
  route(updateApiSettings, {
    method: 'patch',
    path: '/organizations/{org}/api-settings',
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...inOrganization(request) }),
    reply: { kind: 'object', status: 200, schema: 'ApiSettings', present: presentSettings },
  }),
  route(getRateLimits, {
    method: 'get',
    path: '/organizations/{org}/rate_limit',
    input: inOrganization,
    reply: { kind: 'object', status: 200, schema: 'RateLimit', present: presentRateLimit },
  }),
  route(getBanner, {
    method: 'get',
    path: '/organizations/{org}/banner',
    input: inOrganization,
    reply: { kind: 'object', status: 200, schema: 'OrganizationBanner', present: presentOne },
  }),
  route(upsertBanner, {
    method: 'put',
    path: '/organizations/{org}/banner',
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...inOrganization(request) }),
    reply: { kind: 'object', status: 200, schema: 'OrganizationBanner', present: presentOne },
  }),
  route(deleteBanner, {
    method: 'delete',
    path: '/organizations/{org}/banner',
    input: inOrganization,
    reply: { kind: 'empty' },
  }),
  route(getPipelineSettings, {
    method: 'get',
    path: '/organizations/{org}/pipeline-settings',
    input: inOrganization,
    reply: {
      kind: 'object',
      status: 200,
      schema: 'PipelineSettings',
      present: presentOfPipelines,
    },
  }),
  route(updatePipelineSettings, {
    method: 'patch',
    path: '/organizations/{org}/pipeline-settings',
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...inOrganization(request) }),
    reply: {
      kind: 'object',
      status: 200,
      schema: 'PipelineSettings',
      present: presentOfPipelines,
    },
  }),
  route(getStorage, {
    method: 'get',
    path: '/organizations/{org}/storage',
    input: inOrganization,
    reply: { kind: 'object', status: 200, schema: 'OrganizationStorage', present: presentStorage },
  }),
  route(setBuildExport, {
    method: 'put',
    path: buildExport,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...inOrganization(request) }),
    reply: { kind: 'object', status: 200, schema: 'PipelineSettings', present: presentOfPipelines },
  }),
  route(deleteBuildExport, {
    method: 'delete',
    path: buildExport,
    input: inOrganization,
    reply: { kind: 'object', status: 200, schema: 'PipelineSettings', present: presentOfPipelines },
  }),
  publicPipelines('put'),
  publicPipelines('delete'),
];

import type { Context } from '../../../request/context.js';
import { archivePipeline } from '../../../operations/pipelines/archive.js';
import { createPipeline } from '../../../operations/pipelines/create.js';
import { deletePipeline } from '../../../operations/pipelines/delete.js';
import { favoritePipeline } from '../../../operations/pipelines/favorite.js';
import { getPipeline } from '../../../operations/pipelines/get.js';
import { listPipelineTeams } from '../../../operations/pipelines/list-teams.js';
import { listPipelines } from '../../../operations/pipelines/list.js';
import { unarchivePipeline } from '../../../operations/pipelines/unarchive.js';
import { updatePipeline } from '../../../operations/pipelines/update.js';
import type { PipelineSubject } from '../../../core/subject.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import { presentPipeline } from '../../present/pipelines/pipeline.js';
import { presentPipelineTeam } from '../../present/organizations/team.js';
import { listRoute, type Route, route } from '../../route.js';
import { inOrganization, inPipeline } from '../addresses.js';

const all = '/organizations/{org}/pipelines';
const one = `${all}/{slug}`;

const present = (context: Context, { pipeline }: PipelineSubject) => presentPipeline(context, pipeline);

export const pipelineRoutes: Route[] = [
  listRoute(listPipelines, {
    method: 'get',
    path: all,
    query: [
      { name: 'name', type: 'string', description: 'Only rows whose name contains this text; case is ignored.' },
      {
        name: 'repository',
        type: 'string',
        description: 'Only pipelines whose repository URL contains this text; case is ignored.',
      },
      { name: 'favorite', type: 'boolean', description: "Only the caller's favorites, or only the others." },
    ],
    input: (request) => ({
      ...inOrganization(request),
      name: request.text('name'),
      repository: request.text('repository'),
      favorite: request.flag('favorite'),
      paging: readPage(request),
    }),
    reply: { kind: 'page', schema: 'Pipeline', present: presentPipeline },
  }),
  route(createPipeline, {
    method: 'post',
    path: all,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...inOrganization(request) }),
    reply: { kind: 'object', status: 201, schema: 'Pipeline', present },
  }),
  route(getPipeline, {
    method: 'get',
    path: one,
    input: inPipeline,
    reply: { kind: 'object', status: 200, schema: 'Pipeline', present },
  }),
  route(updatePipeline, {
    method: 'patch',
    path: one,
    takesBody: true,
    // `archived` is no field of /v2, which archives with a request of its own.
    input: (request) => ({ ...camelFields(request.body), archived: undefined, ...inPipeline(request) }),
    reply: { kind: 'object', status: 200, schema: 'Pipeline', present },
  }),
  route(deletePipeline, { method: 'delete', path: one, input: inPipeline, reply: { kind: 'empty' } }),
  route(archivePipeline, {
    method: 'post',
    path: `${one}/archive`,
    input: inPipeline,
    reply: { kind: 'object', status: 200, schema: 'Pipeline', present },
  }),
  route(unarchivePipeline, {
    method: 'post',
    path: `${one}/unarchive`,
    input: inPipeline,
    reply: { kind: 'object', status: 200, schema: 'Pipeline', present },
  }),
  // Additions to the compatible API, modeled on GraphQL: the caller's favorites, and the users and teams with access.
  route(favoritePipeline, {
    method: 'put',
    path: `${one}/favorite`,
    input: (request) => ({ ...inPipeline(request), favorite: true }),
    reply: { kind: 'empty' },
  }),
  route(favoritePipeline, {
    method: 'delete',
    path: `${one}/favorite`,
    variant: 'remove',
    input: (request) => ({ ...inPipeline(request), favorite: false }),
    reply: { kind: 'empty' },
  }),
  listRoute(listPipelineTeams, {
    method: 'get',
    path: `${one}/teams`,
    query: [{ name: 'search', type: 'string', description: "Part of the team's name, in any case." }],
    input: (request) => ({ ...inPipeline(request), search: request.text('search'), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'PipelineTeam', present: presentPipelineTeam },
  }),
];

import type { Context } from '../../../request/context.js';
import { createTeamPipeline } from '../../../operations/organizations/team-pipelines/create.js';
import { deleteTeamPipeline } from '../../../operations/organizations/team-pipelines/delete.js';
import { getTeamPipeline } from '../../../operations/organizations/team-pipelines/get.js';
import { listTeamPipelines } from '../../../operations/organizations/team-pipelines/list.js';
import type { TeamPipelineSubject } from '../../../resources/organizations/teams/team-pipeline.js';
import { updateTeamPipeline } from '../../../operations/organizations/team-pipelines/update.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import { presentTeamPipeline } from '../../present/organizations/team.js';
import type { RestRequest } from '../../requests/request.js';
import { listRoute, type Route, route } from '../../route.js';
import { ofTeam } from '../addresses.js';

const all = '/organizations/{org}/teams/{team}/pipelines';
const one = `${all}/{pipeline}`;

const present = (context: Context, { teamPipeline }: TeamPipelineSubject) => presentTeamPipeline(context, teamPipeline);
const ofTeamPipeline = (request: RestRequest) => ({
  teamPipeline: { organization: request.param('org'), team: request.param('team'), to: request.param('pipeline') },
});

export const teamPipelineRoutes: Route[] = [
  listRoute(listTeamPipelines, {
    method: 'get',
    path: all,
    input: (request) => ({ ...ofTeam(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'TeamPipeline', present: presentTeamPipeline },
  }),
  route(createTeamPipeline, {
    method: 'post',
    path: all,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofTeam(request) }),
    reply: { kind: 'object', status: 201, schema: 'TeamPipeline', present },
  }),
  route(getTeamPipeline, {
    method: 'get',
    path: one,
    input: ofTeamPipeline,
    reply: { kind: 'object', status: 200, schema: 'TeamPipeline', present },
  }),
  route(updateTeamPipeline, {
    method: 'patch',
    path: one,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofTeamPipeline(request) }),
    reply: { kind: 'object', status: 200, schema: 'TeamPipeline', present },
  }),
  route(deleteTeamPipeline, { method: 'delete', path: one, input: ofTeamPipeline, reply: { kind: 'empty' } }),
];

import type { Context } from '../../context.js';
import { createTeamPipeline } from '../../operations/teams/create-pipeline.js';
import { deleteTeamPipeline } from '../../operations/teams/delete-pipeline.js';
import { getTeamPipeline } from '../../operations/teams/get-pipeline.js';
import { listTeamPipelines } from '../../operations/teams/list-pipelines.js';
import type { TeamPipelineSubject } from '../../operations/teams/team-pipeline.js';
import { updateTeamPipeline } from '../../operations/teams/update-pipeline.js';
import { camelFields } from '../field-names.js';
import { readPage } from '../pagination.js';
import { presentTeamPipeline } from '../present/team.js';
import type { RestRequest } from '../request.js';
import { listRoute, type Route, route } from '../route.js';
import { ofTeam } from './addresses.js';

const all = '/organizations/{org}/teams/{team}/pipelines';
const one = `${all}/{pipeline}`;

const shown = (context: Context, { teamPipeline }: TeamPipelineSubject) => presentTeamPipeline(context, teamPipeline);
const ofTeamPipeline = (request: RestRequest) => ({ teamPipeline: { organization: request.param('org'), team: request.param('team'), to: request.param('pipeline') } });

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
    reply: { kind: 'object', status: 201, schema: 'TeamPipeline', present: shown },
  }),
  route(getTeamPipeline, { method: 'get', path: one, input: ofTeamPipeline, reply: { kind: 'object', status: 200, schema: 'TeamPipeline', present: shown } }),
  route(updateTeamPipeline, {
    method: 'patch',
    path: one,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofTeamPipeline(request) }),
    reply: { kind: 'object', status: 200, schema: 'TeamPipeline', present: shown },
  }),
  route(deleteTeamPipeline, { method: 'delete', path: one, input: ofTeamPipeline, reply: { kind: 'empty' } }),
];

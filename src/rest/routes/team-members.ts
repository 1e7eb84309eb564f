import type { Context } from '../../context.js';
import { createTeamMember } from '../../operations/teams/create-member.js';
import { deleteTeamMember } from '../../operations/teams/delete-member.js';
import { getTeamMember } from '../../operations/teams/get-member.js';
import { listTeamMembers } from '../../operations/teams/list-members.js';
import type { TeamMemberSubject } from '../../operations/teams/team-member.js';
import { updateTeamMember } from '../../operations/teams/update-member.js';
import { camelFields } from '../field-names.js';
import { readPage } from '../pagination.js';
import { presentTeamMember } from '../present/team.js';
import type { RestRequest } from '../request.js';
import { listRoute, type Route, route } from '../route.js';
import { ofTeam } from './addresses.js';

const all = '/organizations/{org}/teams/{team}/members';
const one = `${all}/{user}`;

const shown = (context: Context, { teamMember }: TeamMemberSubject) => presentTeamMember(context, teamMember);
const ofTeamMember = (request: RestRequest) => ({ teamMember: { organization: request.param('org'), team: request.param('team'), to: request.param('user') } });

export const teamMemberRoutes: Route[] = [
  listRoute(listTeamMembers, {
    method: 'get',
    path: all,
    input: (request) => ({ ...ofTeam(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'TeamMember', present: presentTeamMember },
  }),
  route(createTeamMember, {
    method: 'post',
    path: all,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), useDefaults: false, ...ofTeam(request) }),
    reply: { kind: 'object', status: 201, schema: 'TeamMember', present: shown },
  }),
  route(getTeamMember, { method: 'get', path: one, input: ofTeamMember, reply: { kind: 'object', status: 200, schema: 'TeamMember', present: shown } }),
  route(updateTeamMember, {
    method: 'patch',
    path: one,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofTeamMember(request) }),
    reply: { kind: 'object', status: 200, schema: 'TeamMember', present: shown },
  }),
  route(deleteTeamMember, { method: 'delete', path: one, input: ofTeamMember, reply: { kind: 'empty' } }),
];

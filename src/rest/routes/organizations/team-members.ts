import type { Context } from '../../../request/context.js';
import { createTeamMember } from '../../../operations/organizations/team-members/create.js';
import { deleteTeamMember } from '../../../operations/organizations/team-members/delete.js';
import { getTeamMember } from '../../../operations/organizations/team-members/get.js';
import { listTeamMembers } from '../../../operations/organizations/team-members/list.js';
import type { TeamMemberSubject } from '../../../resources/organizations/teams/team-member.js';
import { updateTeamMember } from '../../../operations/organizations/team-members/update.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import { presentTeamMember } from '../../present/organizations/team.js';
import type { RestRequest } from '../../requests/request.js';
import { listRoute, type Route, route } from '../../route.js';
import { ofTeam } from '../addresses.js';

const all = '/organizations/{org}/teams/{team}/members';
const one = `${all}/{user}`;

const present = (context: Context, { teamMember }: TeamMemberSubject) => presentTeamMember(context, teamMember);
const ofTeamMember = (request: RestRequest) => ({
  teamMember: { organization: request.param('org'), team: request.param('team'), to: request.param('user') },
});

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
    requires: ['role'],
    input: (request) => ({ ...camelFields(request.body), useDefaults: false, ...ofTeam(request) }),
    reply: { kind: 'object', status: 201, schema: 'TeamMember', present },
  }),
  route(getTeamMember, {
    method: 'get',
    path: one,
    input: ofTeamMember,
    reply: { kind: 'object', status: 200, schema: 'TeamMember', present },
  }),
  route(updateTeamMember, {
    method: 'patch',
    path: one,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofTeamMember(request) }),
    reply: { kind: 'object', status: 200, schema: 'TeamMember', present },
  }),
  route(deleteTeamMember, { method: 'delete', path: one, input: ofTeamMember, reply: { kind: 'empty' } }),
];

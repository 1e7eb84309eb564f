import type { Context } from '../../../request/context.js';
import { createTeam } from '../../../operations/organizations/teams/create.js';
import { deleteTeam } from '../../../operations/organizations/teams/delete.js';
import { enableTeams } from '../../../operations/organizations/teams/enable.js';
import type { TeamSubject } from '../../../core/find-team.js';
import { getTeam } from '../../../operations/organizations/teams/get.js';
import { listTeams } from '../../../operations/organizations/teams/list.js';
import { updateTeam } from '../../../operations/organizations/teams/update.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import { presentTeam } from '../../present/organizations/team.js';
import { listRoute, type Route, route } from '../../route.js';
import { inOrganization, ofTeam } from '../addresses.js';

const all = '/organizations/{org}/teams';
const one = `${all}/{team}`;

const present = (context: Context, { team }: TeamSubject) => presentTeam(context, team);

export const teamRoutes: Route[] = [
  listRoute(listTeams, {
    method: 'get',
    path: all,
    query: [{ name: 'user_id', type: 'string', description: 'ID of a user: only teams of this user.' }],
    input: (request) => ({ ...inOrganization(request), userId: request.text('user_id'), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'Team', present: presentTeam },
  }),
  // Before the routes of one team, whose path it fits.
  route(enableTeams, { method: 'post', path: `${all}/enable`, input: inOrganization, reply: { kind: 'empty' } }),
  route(createTeam, {
    method: 'post',
    path: all,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...inOrganization(request) }),
    reply: { kind: 'object', status: 201, schema: 'Team', present },
  }),
  route(getTeam, {
    method: 'get',
    path: one,
    input: ofTeam,
    reply: { kind: 'object', status: 200, schema: 'Team', present },
  }),
  route(updateTeam, {
    method: 'patch',
    path: one,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofTeam(request) }),
    reply: { kind: 'object', status: 200, schema: 'Team', present },
  }),
  route(deleteTeam, { method: 'delete', path: one, input: ofTeam, reply: { kind: 'empty' } }),
];

import type { Context } from '../../context.js';
import { createTeam } from '../../operations/teams/create.js';
import { deleteTeam } from '../../operations/teams/delete.js';
import { enableTeams } from '../../operations/teams/enable.js';
import type { TeamSubject } from '../../operations/teams/find-team.js';
import { getTeam } from '../../operations/teams/get.js';
import { listTeams } from '../../operations/teams/list.js';
import { updateTeam } from '../../operations/teams/update.js';
import { camelFields } from '../field-names.js';
import { readPage } from '../pagination.js';
import { presentTeam } from '../present/team.js';
import { listRoute, type Route, route } from '../route.js';
import { inOrganization, ofTeam } from './addresses.js';

const all = '/organizations/{org}/teams';
const one = `${all}/{team}`;

const shown = (context: Context, { team }: TeamSubject) => presentTeam(context, team);

export const teamRoutes: Route[] = [
  listRoute(listTeams, {
    method: 'get',
    path: all,
    query: [{ name: 'user_id', type: 'string', about: 'Teams that this user is in.' }],
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
    reply: { kind: 'object', status: 201, schema: 'Team', present: shown },
  }),
  route(getTeam, { method: 'get', path: one, input: ofTeam, reply: { kind: 'object', status: 200, schema: 'Team', present: shown } }),
  route(updateTeam, {
    method: 'patch',
    path: one,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofTeam(request) }),
    reply: { kind: 'object', status: 200, schema: 'Team', present: shown },
  }),
  route(deleteTeam, { method: 'delete', path: one, input: ofTeam, reply: { kind: 'empty' } }),
];

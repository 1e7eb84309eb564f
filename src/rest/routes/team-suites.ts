import type { Context } from '../../context.js';
import { createTeamSuite } from '../../operations/team-suites/create.js';
import { deleteTeamSuite } from '../../operations/team-suites/delete.js';
import type { TeamSuiteSubject } from '../../operations/team-suites/find-team-suite.js';
import { getTeamSuite } from '../../operations/team-suites/get.js';
import { listTeamSuites } from '../../operations/team-suites/list.js';
import { updateTeamSuite } from '../../operations/team-suites/update.js';
import { camelFields } from '../field-names.js';
import { readPage } from '../pagination.js';
import { presentTeamSuite } from '../present/team.js';
import type { RestRequest } from '../request.js';
import { listRoute, type Route, route } from '../route.js';
import { ofTeam } from './addresses.js';

const shown = (context: Context, { teamSuite }: TeamSuiteSubject) => presentTeamSuite(context, teamSuite);
const ofTeamSuite = (request: RestRequest) => ({ teamSuite: { organization: request.param('org'), team: request.param('team'), to: request.param('suite') } });

/**
 * The five routes under one of the two spellings that clients send: api-v2.md makes an association at `suite` and does
 * everything else at `suites`, later clients do everything at `suites` (compatibility 5).
 */
function under(segment: 'suite' | 'suites'): Route[] {
  const all = `/organizations/{org}/teams/{team}/${segment}`;
  const one = `${all}/{suite}`;
  const variant = segment === 'suites' ? undefined : 'singular';
  return [
    listRoute(listTeamSuites, {
      method: 'get',
      path: all,
      variant,
      input: (request) => ({ ...ofTeam(request), paging: readPage(request) }),
      reply: { kind: 'page', schema: 'TeamSuite', present: presentTeamSuite },
    }),
    route(createTeamSuite, {
      method: 'post',
      path: all,
      variant,
      takesBody: true,
      input: (request) => ({ ...camelFields(request.body), ...ofTeam(request) }),
      reply: { kind: 'object', status: 201, schema: 'TeamSuite', present: shown },
    }),
    route(getTeamSuite, { method: 'get', path: one, variant, input: ofTeamSuite, reply: { kind: 'object', status: 200, schema: 'TeamSuite', present: shown } }),
    route(updateTeamSuite, {
      method: 'patch',
      path: one,
      variant,
      takesBody: true,
      input: (request) => ({ ...camelFields(request.body), ...ofTeamSuite(request) }),
      reply: { kind: 'object', status: 200, schema: 'TeamSuite', present: shown },
    }),
    route(deleteTeamSuite, { method: 'delete', path: one, variant, input: ofTeamSuite, reply: { kind: 'empty' } }),
  ];
}

export const teamSuiteRoutes: Route[] = [...under('suite'), ...under('suites')];

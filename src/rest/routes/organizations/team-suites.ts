import type { Context } from '../../../request/context.js';
import { createTeamSuite } from '../../../operations/organizations/team-suites/create.js';
import { deleteTeamSuite } from '../../../operations/organizations/team-suites/delete.js';
import type { TeamSuiteSubject } from '../../../resources/organizations/team-suites/find-team-suite.js';
import { getTeamSuite } from '../../../operations/organizations/team-suites/get.js';
import { listTeamSuites } from '../../../operations/organizations/team-suites/list.js';
import { updateTeamSuite } from '../../../operations/organizations/team-suites/update.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import { presentTeamSuite } from '../../present/organizations/team.js';
import type { RestRequest } from '../../requests/request.js';
import { listRoute, type Route, route } from '../../route.js';
import { ofTeam } from '../addresses.js';

const present = (context: Context, { teamSuite }: TeamSuiteSubject) => presentTeamSuite(context, teamSuite);
const ofTeamSuite = (request: RestRequest) => ({
  teamSuite: { organization: request.param('org'), team: request.param('team'), to: request.param('suite') },
});

/**
 * The five routes under each of the two spellings that clients send: the specification creates an association at
 * `suite` and uses `suites` for all else; later clients always use `suites`.
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
      reply: { kind: 'object', status: 201, schema: 'TeamSuite', present },
    }),
    route(getTeamSuite, {
      method: 'get',
      path: one,
      variant,
      input: ofTeamSuite,
      reply: { kind: 'object', status: 200, schema: 'TeamSuite', present },
    }),
    route(updateTeamSuite, {
      method: 'patch',
      path: one,
      variant,
      takesBody: true,
      input: (request) => ({ ...camelFields(request.body), ...ofTeamSuite(request) }),
      reply: { kind: 'object', status: 200, schema: 'TeamSuite', present },
    }),
    route(deleteTeamSuite, { method: 'delete', path: one, variant, input: ofTeamSuite, reply: { kind: 'empty' } }),
  ];
}

export const teamSuiteRoutes: Route[] = [...under('suite'), ...under('suites')];

import { z } from 'zod';
import { limits } from '../../domain/limits.js';
import type { Row } from '../../entities/database.js';
import { findOrganization } from '../find.js';
import { contains } from '../matching.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, newestFirst, type Ordering, type Page, paginate, paging } from '../paging.js';
import type { OrganizationSubject } from '../subject.js';
import { findTeam, teamAddress, type TeamSubject } from '../teams/find-team.js';
import { teamIsVisible } from '../teams/visibility.js';
import { oneOf, text } from '../text.js';

/** A team's access to a suite with the name it is ordered by; team and suite come through the loaders. */
export type TeamSuite = Row<'team_suites'> & { sortName: string };

const ordering = (order: string, column: 's.name' | 't.name'): Ordering<TeamSuite> =>
  order === 'recently_created' ? newestFirst('x.id') : { column, id: 'x.id', direction: 'asc', key: (row) => row.sortName, type: 'text' };

/**
 * The suites a team has access to (api-v2.md, Team suites), or with `suite` the teams with access to one, as far as
 * the caller may see them. `search` is part of the name of the other side.
 */
export const listTeamSuites = defineOperation({
  name: 'team-suite.list',
  summary: 'Lists the test suites a team has access to.',
  kind: 'query',
  scope: 'read_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    team: teamAddress.optional(),
    suite: z.object({ organizationId: z.uuid(), id: z.uuid() }).optional(),
    search: text(limits.filterLength).nullish(),
    order: oneOf(['recently_created', 'name', 'relevance']).default('recently_created'),
    paging: paging.default(defaultPaging),
  }),
  subject: async (context, { team, suite }): Promise<TeamSubject | OrganizationSubject | null> => {
    if (team) return findTeam(context, team);
    return suite ? findOrganization(context, { id: suite.organizationId }) : null;
  },
  run: async (context, { suite, search, order, paging: asked }, subject): Promise<Page<TeamSuite>> => {
    const column = 'team' in subject ? 's.name' : 't.name';
    let query = context.db
      .selectFrom('team_suites as x')
      .innerJoin('suites as s', 's.id', 'x.suiteId')
      .innerJoin('teams as t', 't.id', 'x.teamId')
      .selectAll('x')
      .select(`${column} as sortName`)
      .where(teamIsVisible(context.actor));
    if ('team' in subject) query = query.where('x.teamId', '=', subject.team.id);
    else query = query.where('x.organizationId', '=', subject.organization.id).where('x.suiteId', '=', suite?.id ?? null);
    if (search) query = query.where(contains(column, search));
    return paginate<TeamSuite>(context.db, query, ordering(order, column), asked);
  },
});

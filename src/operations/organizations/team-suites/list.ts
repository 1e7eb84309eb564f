import { z } from 'zod';
import { limits } from '../../../domain/limits/limits.js';
import type { Row } from '../../../entities/database.js';
import { findOrganization } from '../../../core/find.js';
import { contains } from '../../../core/matching.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Ordering, type Page, paginate, paging } from '../../../core/paging.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { findTeam, teamAddress, type TeamSubject } from '../../../core/find-team.js';
import { suiteIsAccessible } from '../../../core/suite-visibility.js';
import { teamIsVisible } from '../../../core/team-visibility.js';
import { oneOf, text } from '../../../domain/input-text.js';

/** A team's access to a suite with its sort key; team and suite come through the loaders. */
export type TeamSuite = Row<'team_suites'> & { sortName: string };

const ordering = (order: string, column: 's.name' | 't.name'): Ordering<TeamSuite> =>
  order === 'recently_created'
    ? newestFirst('x.id')
    : { column, id: 'x.id', direction: 'asc', key: (row) => row.sortName, type: 'text' };

/**
 * Lists the suites of a team, or with `suite` the teams of a suite, as far as the caller may see them. `search`: part
 * of the name of the other side.
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
  run: async (context, { suite, search, order, paging: page }, subject): Promise<Page<TeamSuite>> => {
    const column = 'team' in subject ? 's.name' : 't.name';
    let query = context.db
      .selectFrom('team_suites as x')
      .innerJoin('suites as s', 's.id', 'x.suiteId')
      .innerJoin('teams as t', 't.id', 'x.teamId')
      .selectAll('x')
      .select(`${column} as sortName`)
      .where(teamIsVisible(context.actor))
      .where(suiteIsAccessible(context.actor, 'read'));
    if ('team' in subject) query = query.where('x.teamId', '=', subject.team.id);
    else
      query = query.where('x.organizationId', '=', subject.organization.id).where('x.suiteId', '=', suite?.id ?? null);
    if (search) query = query.where(contains(column, search));
    return paginate<TeamSuite>(context.db, query, ordering(order, column), page);
  },
});

import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../request/context.js';
import { limits } from '../../domain/limits/limits.js';
import type { Database, SuiteRow } from '../../entities/database.js';
import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { contains } from '../../core/matching.js';
import { defineOperation } from '../../core/operation.js';
import { defaultPaging, newestFirst, type Ordering, type Page, paginate, paging } from '../../core/paging.js';
import type { OrganizationSubject } from '../../core/subject.js';
import { oneOf, text } from '../../domain/input-text.js';
import { suiteIsAccessible } from '../../core/suite-visibility.js';
import { teamIsVisible } from '../../core/team-visibility.js';

const byName: Ordering<SuiteRow> = {
  column: 's.name',
  id: 's.id',
  direction: 'asc',
  key: (row) => row.name,
  type: 'text',
};

function ofTeam({ actor }: Context, selector: string): Expression<SqlBool> {
  const negated = selector.startsWith('!');
  const eb = expressionBuilder<Database & { s: Database['suites'] }, 's'>();
  const within = eb.exists(
    eb
      .selectFrom('team_suites as ts')
      .innerJoin('teams as t', 't.id', 'ts.teamId')
      .select('ts.id')
      .whereRef('ts.suiteId', '=', 's.id')
      .where('t.slug', '=', negated ? selector.slice(1) : selector)
      .where(teamIsVisible(actor)),
  );
  return negated ? eb.not(within) : within;
}

/** Lists the suites of an organization that the caller may see, newest first. */
export const listSuites = defineOperation({
  name: 'suite.list',
  summary: 'Lists the test suites of an organization.',
  kind: 'query',
  scope: 'read_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    organization: organizationAddress,
    /** Part of the name, case-insensitive. */
    search: text(limits.filterLength).nullish(),
    /** A team's slug; with a leading `!` suites that the team has no access to. */
    teamSlug: text(limits.filterLength).nullish(),
    createdAtFrom: z.date().nullish(),
    /** Not included. */
    createdAtTo: z.date().nullish(),
    order: oneOf(['recently_created', 'name', 'relevance']).default('recently_created'),
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (
    context,
    { search, teamSlug, createdAtFrom, createdAtTo, order, paging: page },
    { organization }: OrganizationSubject,
  ): Promise<Page<SuiteRow>> => {
    let query = context.db
      .selectFrom('suites as s')
      .selectAll('s')
      .where('s.organizationId', '=', organization.id)
      .where(suiteIsAccessible(context.actor, 'read'));
    if (search) query = query.where(contains('s.name', search));
    if (teamSlug) query = query.where(ofTeam(context, teamSlug));
    if (createdAtFrom) query = query.where('s.createdAt', '>=', createdAtFrom);
    if (createdAtTo) query = query.where('s.createdAt', '<', createdAtTo);
    return paginate<SuiteRow>(context.db, query, order === 'recently_created' ? newestFirst('s.id') : byName, page);
  },
});

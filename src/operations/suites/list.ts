import { z } from 'zod';
import { limits } from '../../domain/limits.js';
import type { SuiteRow } from '../../entities/database.js';
import { organizationAddress } from '../address.js';
import { findOrganization } from '../find.js';
import { contains } from '../matching.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, newestFirst, type Ordering, type Page, paginate, paging } from '../paging.js';
import type { OrganizationSubject } from '../subject.js';
import { oneOf, text } from '../text.js';
import { suiteIsAccessible } from './visibility.js';

const byName: Ordering<SuiteRow> = { column: 's.name', id: 's.id', direction: 'asc', key: (row) => row.name, type: 'text' };

/** The suites of an organization that the caller may see, newest first (rest-facts 3.8, graphql-facts 1.12). */
export const listSuites = defineOperation({
  name: 'suite.list',
  summary: 'Lists the test suites of an organization.',
  kind: 'query',
  scope: 'read_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    organization: organizationAddress,
    /** Part of the name, capitals aside. */
    search: text(limits.filterLength).nullish(),
    createdAtFrom: z.date().nullish(),
    /** Not included. */
    createdAtTo: z.date().nullish(),
    order: oneOf(['recently_created', 'name', 'relevance']).default('recently_created'),
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, { search, createdAtFrom, createdAtTo, order, paging: asked }, { organization }: OrganizationSubject): Promise<Page<SuiteRow>> => {
    let query = context.db.selectFrom('suites as s').selectAll('s').where('s.organizationId', '=', organization.id).where(suiteIsAccessible(context.actor, 'read'));
    if (search) query = query.where(contains('s.name', search));
    if (createdAtFrom) query = query.where('s.createdAt', '>=', createdAtFrom);
    if (createdAtTo) query = query.where('s.createdAt', '<', createdAtTo);
    return paginate<SuiteRow>(context.db, query, order === 'recently_created' ? newestFirst('s.id') : byName, asked);
  },
});

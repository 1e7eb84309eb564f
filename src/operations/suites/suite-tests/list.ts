import { sql } from 'kysely';
import { z } from 'zod';
import { limits } from '../../../domain/limits/limits.js';
import { testStates } from '../../../domain/suites/results/test-state.js';
import type { SuiteTestRow } from '../../../entities/database.js';
import { contains } from '../../../core/matching.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import { findSuite, suiteAddress, type SuiteSubject } from '../../../core/find-suite.js';
import { flag, oneOf, text } from '../../../domain/input-text.js';

/** Lists the tests of a suite, newest first, filtered by state and labels. */
export const listSuiteTests = defineOperation({
  name: 'suite-test.list',
  summary: 'Lists the tests of a suite.',
  kind: 'query',
  mayLag: true,
  scope: 'read_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    suite: suiteAddress,
    state: oneOf(testStates).nullish(),
    /** Only tests with all of these labels. */
    labels: z.array(text(limits.labelLength)).max(limits.filterValues).nullish(),
    /** Only tests that count as flaky now. */
    flaky: flag.nullish(),
    /** Part of the name, case-insensitive. */
    search: text(limits.filterLength).nullish(),
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { suite }) => findSuite(context, suite),
  run: async (
    context,
    { state, labels, flaky, search, paging: page },
    { suite }: SuiteSubject,
  ): Promise<Page<SuiteTestRow>> => {
    let query = context.db.selectFrom('suite_tests as t').selectAll('t').where('t.suiteId', '=', suite.id);
    if (state) query = query.where('t.state', '=', state);
    if (labels && labels.length > 0) query = query.where(sql<boolean>`t.labels @> ${labels}::text[]`);
    if (flaky) query = query.where('t.flakySince', 'is not', null);
    if (search) query = query.where(contains('t.name', search));
    return paginate(context.db, query, newestFirst<SuiteTestRow>('t.id'), page);
  },
});

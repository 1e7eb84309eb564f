import { z } from 'zod';
import { contains } from '../../../core/matching.js';
import { findSuite, suiteAddress, type SuiteSubject } from '../../../core/find-suite.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import { oneOf, text } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import { readWindow, testPeriods } from '../../../domain/suites/test-window.js';
import type { SuiteTestRow } from '../../../entities/database.js';
import { executionFilters, testFilters } from '../../../resources/suites/measured-tests/filters.js';
import { chosenTests, listMeasured } from '../../../resources/suites/measured-tests/list-measured.js';
import type { MeasuredTest } from '../../../resources/suites/measured-tests/measured-test.js';
import { executionsOfWindow } from '../../../resources/suites/measured-tests/executions-of-window.js';

/**
 * Lists the tests of a suite, newest first. Where the caller says which executions count, or what to sort by, it lists
 * the tests that have such executions, with their metrics over these alone; of the last seven days if no time is named.
 */
export const listSuiteTests = defineOperation({
  name: 'suite-test.list',
  summary: 'Lists the tests of a suite.',
  kind: 'query',
  mayLag: true,
  scope: 'read_suites',
  access: 'member',
  refusal: 'sentence',
  input: testFilters.extend(executionFilters.shape).extend({
    suite: suiteAddress,
    /** Part of the name, case-insensitive. */
    search: text(limits.filterLength).nullish(),
    /** How far back executions count. */
    period: oneOf(testPeriods).nullish(),
    /** Start and end of the time in which executions count; the end is now by default. */
    minTimestamp: z.date().nullish(),
    maxTimestamp: z.date().nullish(),
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { suite }) => findSuite(context, suite),
  run: async (context, input, { suite }: SuiteSubject): Promise<Page<SuiteTestRow | MeasuredTest>> => {
    const { search, paging: page } = input;
    if (measured.some((name) => input[name] != null)) {
      const executions = await executionsOfWindow(context, suite.id, readWindow(input, context.now));
      return listMeasured(context, executions, input, (tests) =>
        search ? tests.where(contains('t.name', search)) : tests,
      );
    }
    let query = chosenTests(
      context.db.selectFrom('suite_tests as t').selectAll('t').where('t.suiteId', '=', suite.id),
      input,
    );
    if (search) query = query.where(contains('t.name', search));
    return paginate(context.db, query, newestFirst<SuiteTestRow>('t.id'), page);
  },
});

/** What makes the list one of the executions that count. */
const measured = ['branch', 'tags', 'sortBy', 'order', 'period', 'minTimestamp', 'maxTimestamp'] as const;

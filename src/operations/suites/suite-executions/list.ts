import { z } from 'zod';
import { executionResults } from '../../../domain/suites/results/result.js';
import type { SuiteExecutionRow } from '../../../entities/database.js';
import { shownColumns } from '../../../entities/shown-columns.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, type Ordering, type Page, paginate, paging } from '../../../core/paging.js';
import { findRun, runAddress } from '../../../resources/suites/suite-runs/find-run.js';
import type { SuiteSubject } from '../../../core/find-suite.js';
import { findTest, testAddress } from '../../../resources/suites/suite-tests/find-test.js';
import { oneOf } from '../../../domain/input-text.js';

const asUploaded: Ordering<SuiteExecutionRow> = {
  column: 'e.id',
  id: 'e.id',
  direction: 'asc',
  key: (row) => row.id,
  type: 'uuid',
};
const newest: Ordering<SuiteExecutionRow> = { ...asUploaded, direction: 'desc' };

/**
 * Lists the executions of a run in upload order, or of a test, newest first. `result`: only executions with this
 * result.
 */
export const listExecutions = defineOperation({
  name: 'execution.list',
  summary: 'Lists the executions of a run or of a test.',
  kind: 'query',
  mayLag: true,
  scope: 'read_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    of: z.union([z.object({ run: runAddress }), z.object({ test: testAddress })]),
    result: oneOf(executionResults).nullish(),
    paging: paging.default(defaultPaging),
  }),
  subject: async (context, { of }): Promise<SuiteSubject | null> =>
    'run' in of ? findRun(context, of.run) : findTest(context, of.test),
  run: async (context, { result, of, paging: page }, subject: SuiteSubject): Promise<Page<SuiteExecutionRow>> => {
    let query = context.db.selectFrom('suite_executions as e').select(shownColumns('suite_executions', 'e'));
    query =
      'run' in subject
        ? query.where('e.runId', '=', idOf(subject.run))
        : query.where('e.testId', '=', idOf('test' in subject ? subject.test : null));
    if (result) query = query.where('e.result', '=', result);
    return paginate(context.db, query, 'run' in of ? asUploaded : newest, page);
  },
});

function idOf(thing: unknown): string {
  if (typeof thing === 'object' && thing !== null && 'id' in thing && typeof thing.id === 'string') return thing.id;
  throw new Error('executions belong to a run or a test');
}

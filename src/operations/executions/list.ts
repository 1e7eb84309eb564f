import { z } from 'zod';
import { executionResults } from '../../domain/test-results/result.js';
import type { SuiteExecutionRow } from '../../entities/database.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, type Ordering, type Page, paginate, paging } from '../paging.js';
import { findRun, runAddress } from '../runs/find-run.js';
import type { SuiteSubject } from '../suites/find-suite.js';
import { findTest, testAddress } from '../suite-tests/find-test.js';
import { oneOf } from '../text.js';

const asUploaded: Ordering<SuiteExecutionRow> = { column: 'e.id', id: 'e.id', direction: 'asc', key: (row) => row.id, type: 'uuid' };
const newest: Ordering<SuiteExecutionRow> = { ...asUploaded, direction: 'desc' };

/**
 * What explains a run: its executions in the order they were uploaded; or the history of a test: its executions,
 * newest first. With `result` only those, as the failed ones of a run (rest-facts 2.6).
 */
export const listExecutions = defineOperation({
  name: 'execution.list',
  summary: 'Lists the executions of a run or of a test.',
  kind: 'query',
  scope: 'read_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ of: z.union([z.object({ run: runAddress }), z.object({ test: testAddress })]), result: oneOf(executionResults).nullish(), paging: paging.default(defaultPaging) }),
  subject: async (context, { of }): Promise<SuiteSubject | null> => ('run' in of ? findRun(context, of.run) : findTest(context, of.test)),
  run: async (context, { result, of, paging: asked }, subject: SuiteSubject): Promise<Page<SuiteExecutionRow>> => {
    let query = context.db.selectFrom('suite_executions as e').selectAll('e');
    query = 'run' in subject ? query.where('e.runId', '=', idOf(subject.run)) : query.where('e.testId', '=', idOf('test' in subject ? subject.test : null));
    if (result) query = query.where('e.result', '=', result);
    return paginate(context.db, query, 'run' in of ? asUploaded : newest, asked);
  },
});

function idOf(thing: unknown): string {
  if (typeof thing === 'object' && thing !== null && 'id' in thing && typeof thing.id === 'string') return thing.id;
  throw new Error('executions belong to a run or a test');
}

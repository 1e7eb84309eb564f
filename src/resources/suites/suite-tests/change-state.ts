import type { TestState } from '../../../domain/suites/results/test-state.js';
import { formatTime } from '../../../domain/time.js';
import type { SuiteRow, SuiteTestRow } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';
import { recordSuite } from '../record.js';

/** Gives a locked test another state, with its end, and records it. Returns the test as it is then. */
export async function changeTestState(
  context: Context,
  suite: Pick<SuiteRow, 'id' | 'organizationId'>,
  test: SuiteTestRow,
  { state, until }: { state: TestState; until: Date | null },
): Promise<SuiteTestRow> {
  if (test.state === state && test.stateUntil?.getTime() === until?.getTime()) return test;
  const change = { state, stateUntil: until };
  await context.db.updateTable('suite_tests').set(change).where('id', '=', test.id).execute();
  const data = { test: test.id, from: test.state, to: state, until: until && formatTime(until) };
  recordSuite(context, suite, { type: 'suite.test.state', data });
  return { ...test, ...change };
}

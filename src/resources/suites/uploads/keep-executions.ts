import type { Context } from '../../../context.js';
import { limits } from '../../../domain/limits.js';
import type { TestResult } from '../../../domain/suites/results/result.js';
import type { SuiteRunRow } from '../../../entities/database.js';
import { testIdentity, testsOfResults } from './tests-of-results.js';

const rowsOfStatement = 500;

/**
 * Stores executions in the order they were sent, as many as the run has room for, failed ones first. Returns their
 * number.
 */
export async function keepExecutions(
  context: Context,
  run: SuiteRunRow,
  uploadId: string,
  taken: readonly TestResult[],
): Promise<number> {
  const results = within(taken, limits.testExecutionsPerRun - run.keptCount);
  const testIds = await testsOfResults(context, run, results);
  const common = {
    organizationId: run.organizationId,
    suiteId: run.suiteId,
    runId: run.id,
    uploadId,
    createdAt: context.now,
  };
  const rows = results.map((result) => ({
    ...common,
    id: context.newId(),
    testId: testIds.get(testIdentity(result)) ?? missingTest(),
    result: result.result,
    duration: result.duration,
    location: result.location,
    fileName: result.fileName,
    failureReason: result.failureReason,
    failureExpanded: result.failureExpanded,
    tags: result.tags,
  }));
  for (let start = 0; start < rows.length; start += rowsOfStatement)
    await context.db
      .insertInto('suite_executions')
      .values(rows.slice(start, start + rowsOfStatement))
      .execute();
  return rows.length;
}

function within(taken: readonly TestResult[], room: number): readonly TestResult[] {
  if (taken.length <= room) return taken;
  const failed = taken.filter(({ result }) => result === 'failed');
  return [...failed, ...taken.filter(({ result }) => result !== 'failed')].slice(0, Math.max(0, room));
}

function missingTest(): never {
  throw new Error('an execution has no test');
}

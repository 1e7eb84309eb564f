import type { Context } from '../../../context.js';
import { limits } from '../../../domain/limits.js';
import type { TestResult } from '../../../domain/suites/results/result.js';
import type { SuiteRunRow } from '../../../entities/database.js';
import { testIdentity, testsOfResults } from './tests-of-results.js';

/** Most rows and characters of one statement: the embedded database works on it in the thread of the server. */
const rowsOfStatement = 500;
const charactersOfStatement = 256 * 1024;

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
  for (const batch of batches(rows, charactersOf))
    await context.db.insertInto('suite_executions').values(batch).execute();
  return rows.length;
}

const charactersOf = ({ failureReason, failureExpanded }: Pick<TestResult, 'failureReason' | 'failureExpanded'>) =>
  (failureReason?.length ?? 0) +
  failureExpanded.reduce(
    (sum, { expanded, backtrace }) => [...expanded, ...backtrace].reduce((size, line) => size + line.length, sum),
    0,
  );

/** The rows in order, as many at a time as one statement may have. */
function* batches<Row>(rows: readonly Row[], sizeOf: (row: Row) => number): Generator<Row[]> {
  let batch: Row[] = [];
  let size = 0;
  for (const row of rows) {
    const added = sizeOf(row);
    if (batch.length > 0 && (batch.length === rowsOfStatement || size + added > charactersOfStatement)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(row);
    size += added;
  }
  if (batch.length > 0) yield batch;
}

function within(taken: readonly TestResult[], room: number): readonly TestResult[] {
  if (taken.length <= room) return taken;
  const failed = taken.filter(({ result }) => result === 'failed');
  return [...failed, ...taken.filter(({ result }) => result !== 'failed')].slice(0, Math.max(0, room));
}

function missingTest(): never {
  throw new Error('an execution has no test');
}

import type { Context } from '../../../request/context.js';
import { limits } from '../../../domain/limits/limits.js';
import { failureBytes as sizeOfFailure, withinFailureRoom } from '../../../domain/suites/results/failure-size.js';
import type { TestResult } from '../../../domain/suites/results/result.js';
import type { SuiteRunRow } from '../../../entities/database.js';
import { testIdentity, testsOfResults } from './tests-of-results.js';

/** Most rows and bytes of failures of one statement: the embedded database works on it in the thread of the server. */
const rowsOfStatement = 500;
const bytesOfStatement = 256 * 1024;

/** An execution that was stored. */
export interface StoredExecution {
  id: string;
  testId: string;
  source: TestResult;
}

/** What an upload has left. */
export interface StoredExecutions {
  count: number;
  failureBytes: number;
  /** Tests that have passed or failed in it. */
  testIds: string[];
  /** In the order they were sent. */
  executions: StoredExecution[];
  /** Tests that were never seen before. */
  newTests: ReadonlySet<string>;
}

/**
 * Stores executions in the order they were sent, as many as the run has room for, failed ones first, and their failures
 * as far as upload and run have room for them. Returns what was stored.
 */
export async function storeExecutions(
  context: Context,
  run: SuiteRunRow,
  uploadId: string,
  testResults: readonly TestResult[],
): Promise<StoredExecutions> {
  const { results, failureBytes } = withinFailureRoom(
    within(testResults, limits.testExecutionsPerRun - run.keptCount),
    Math.min(limits.testUploadFailureBytes, limits.testRunFailureBytes - run.failureBytes),
  );
  const { ids: testIds, created: newTests } = await testsOfResults(context, run, results);
  const common = {
    organizationId: run.organizationId,
    suiteId: run.suiteId,
    runId: run.id,
    uploadId,
    createdAt: context.now,
  };
  const rowOf = (result: TestResult) => ({
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
  });
  // The rows of a statement are made when it is their turn: those of thousands of results would hold up the event loop.
  const decided = new Set<string>();
  const executions: StoredExecution[] = [];
  for (const batch of batches(results, sizeOfFailure)) {
    const rows = batch.map(rowOf);
    await context.db.insertInto('suite_executions').values(rows).execute();
    for (const [index, { id, testId, result }] of rows.entries()) {
      if (result === 'passed' || result === 'failed') decided.add(testId);
      const source = batch[index];
      if (source) executions.push({ id, testId, source });
    }
  }
  return { count: results.length, failureBytes, testIds: [...decided], executions, newTests };
}

/** The rows in order, as many at a time as one statement may have. */
function* batches<Row>(rows: readonly Row[], sizeOf: (row: Row) => number): Generator<Row[]> {
  let batch: Row[] = [];
  let size = 0;
  for (const row of rows) {
    const added = sizeOf(row);
    if (batch.length > 0 && (batch.length === rowsOfStatement || size + added > bytesOfStatement)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(row);
    size += added;
  }
  if (batch.length > 0) yield batch;
}

function within(results: readonly TestResult[], room: number): readonly TestResult[] {
  if (results.length <= room) return results;
  const failed = results.filter(({ result }) => result === 'failed');
  return [...failed, ...results.filter(({ result }) => result !== 'failed')].slice(0, Math.max(0, room));
}

function missingTest(): never {
  throw new Error('an execution has no test');
}

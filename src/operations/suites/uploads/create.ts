import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { limits } from '../../../domain/limits/limits.js';
import { Problem, wrongState } from '../../../domain/problem.js';
import { afterUpload, runDeadline } from '../../../domain/suites/suite-run-state.js';
import { uploadFormats } from '../../../domain/suites/results/formats.js';
import type { ExecutionResult, TestResult } from '../../../domain/suites/results/result.js';
import type { SuiteRunRow, SuiteUploadRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { recordRun } from '../../../resources/suites/suite-runs/record.js';
import type { SuiteSubject } from '../../../core/find-suite.js';
import { oneOf } from '../../../domain/input-text.js';
import { findUploadingSuite } from '../../../resources/suites/uploads/find-suite.js';
import { flakyOnCommit } from '../../../resources/suites/uploads/flaky-on-commit.js';
import { noteFlakyTests } from '../../../resources/suites/uploads/note-flaky-tests.js';
import { storeExecutions } from '../../../resources/suites/uploads/store-executions.js';
import { lockRun, type LockedRun } from '../../../resources/suites/uploads/lock-run.js';
import { readUpload, type ReadUpload } from '../../../resources/suites/uploads/read-upload.js';
import { actOnVerdicts } from '../../../resources/suites/workflows/evaluation/act.js';
import { judgeTests } from '../../../resources/suites/workflows/evaluation/judge-tests.js';

/** Reply to an upload. */
export interface UploadReceipt extends SuiteSubject {
  upload: SuiteUploadRow;
  run: SuiteRunRow;
}

/**
 * Stores the results of a test collector in the run that its key names. Bad results are refused one by one; `queued`
 * plus `skipped` is the number sent. Repeating an upload changes nothing and returns the same reply.
 */
export const createUpload = defineOperation({
  name: 'upload.create',
  summary: 'Stores test results in a run of a suite.',
  kind: 'command',
  // Test results contain output of programs: characters that cannot be stored are replaced when they are read.
  anyText: true,
  scope: null,
  access: 'internal',
  refusal: 'sentence',
  input: z.object({
    format: oneOf(uploadFormats),
    runEnv: z.record(z.string(), z.unknown(), {
      error: (issue) => (issue.input === undefined ? 'missing' : 'must be an object'),
    }),
    tags: z.unknown().optional(),
    data: z.unknown().refine((data) => data !== undefined, 'missing'),
  }),
  subject: findUploadingSuite,
  run: async (context, request, subject: SuiteSubject): Promise<UploadReceipt> => {
    const read = await readUpload(context, request);
    const locked = await lockRun(context, subject, read.env);
    const earlier = await findUpload(context, locked.run, read);
    if (earlier) return { ...subject, run: locked.run, upload: earlier };
    if (locked.run.uploadsCount >= limits.testUploadsPerRun)
      throw wrongState(`The run has had ${limits.testUploadsPerRun} uploads; use another key`);
    const upload = await insertUpload(context, locked.run, request.format, read);
    const stored = await storeExecutions(context, locked.run, upload.id, read.taken);
    const flaky = await flakyOnCommit(context, locked.run, stored.testIds);
    // What workflows remember is locked before tests are, in every upload alike.
    const verdicts = await judgeTests(context, locked.run, { ...stored, flaky });
    const changedLater = [...new Set(verdicts.map(({ testId }) => testId))];
    await noteFlakyTests(context, locked.run, { testIds: stored.testIds, flaky, changedLater });
    await actOnVerdicts(context, subject, verdicts);
    return { ...subject, upload, run: await advance(context, locked, read.taken, stored) };
  },
});

/** Returns the earlier identical upload; throws where the idempotency key belongs to another one. */
async function findUpload(
  context: Context,
  run: SuiteRunRow,
  { fingerprint }: ReadUpload,
): Promise<SuiteUploadRow | undefined> {
  const key = context.request.idempotency?.key;
  if (key !== undefined) {
    const keyed = await context.db
      .selectFrom('suite_uploads')
      .selectAll()
      .where('suiteId', '=', run.suiteId)
      .where('idempotencyKey', '=', key)
      .executeTakeFirst();
    if (keyed && (keyed.fingerprint !== fingerprint || keyed.runId !== run.id)) throw keyInUse();
  }
  return context.db
    .selectFrom('suite_uploads')
    .selectAll()
    .where('runId', '=', run.id)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
}

const keyInUse = () => new Problem('conflict', 'The Idempotency-Key was used with another upload');

async function insertUpload(
  context: Context,
  run: SuiteRunRow,
  format: SuiteUploadRow['format'],
  { taken: accepted, refusals, fingerprint }: ReadUpload,
): Promise<SuiteUploadRow> {
  const row = await context.db
    .insertInto('suite_uploads')
    .values({
      id: context.newId(),
      organizationId: run.organizationId,
      suiteId: run.suiteId,
      runId: run.id,
      format,
      fingerprint,
      idempotencyKey: context.request.idempotency?.key ?? null,
      queued: accepted.length,
      skipped: refusals.length,
      errors: refusals.slice(0, limits.testErrorsPerUpload),
      createdAt: context.now,
    })
    // Of two runs at once with one idempotency key the other was first.
    .onConflict((conflict) => conflict.columns(['suiteId', 'idempotencyKey']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) throw keyInUse();
  return row;
}

/** Adds the upload's counts to the run and updates its state. */
async function advance(
  context: Context,
  { run, isNew }: LockedRun,
  testResults: readonly TestResult[],
  stored: { count: number; failureBytes: number },
): Promise<SuiteRunRow> {
  const count = (...results: ExecutionResult[]) => testResults.filter(({ result }) => results.includes(result)).length;
  const failed = count('failed');
  const standing = afterUpload(run, { processed: testResults.length, failed });
  const row = await context.db
    .updateTable('suite_runs')
    .set({
      ...standing,
      uploadsCount: run.uploadsCount + 1,
      passedCount: run.passedCount + count('passed'),
      failedCount: run.failedCount + failed,
      skippedCount: run.skippedCount + count('skipped'),
      unknownCount: run.unknownCount + count('pending', 'unknown'),
      keptCount: run.keptCount + stored.count,
      failureBytes: run.failureBytes + stored.failureBytes,
      lastUploadAt: context.now,
      finishedAt: null,
      deadlineAt: runDeadline(standing, context.now),
    })
    .where('id', '=', run.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  recordRun(context, row, isNew ? null : run, 'results were uploaded');
  return row;
}

import { z } from 'zod';
import type { Context } from '../../context.js';
import { jsonb } from '../../database/row-conversion.js';
import { limits } from '../../domain/limits.js';
import { Problem, wrongState } from '../../domain/problem.js';
import { afterUpload, runDeadline } from '../../domain/run-state.js';
import { uploadFormats } from '../../domain/test-results/formats.js';
import type { ExecutionResult, TestResult } from '../../domain/test-results/result.js';
import type { SuiteRunRow, SuiteUploadRow } from '../../entities/database.js';
import { defineOperation } from '../operation.js';
import { recordRun } from '../runs/record.js';
import type { SuiteSubject } from '../suites/find-suite.js';
import { oneOf } from '../text.js';
import { findUploadingSuite } from './find-suite.js';
import { keepExecutions } from './keep-executions.js';
import { lockRun, type LockedRun } from './lock-run.js';
import { readUpload, type ReadUpload } from './read-upload.js';

/** What an upload is answered with. */
export interface UploadReceipt extends SuiteSubject {
  upload: SuiteUploadRow;
  run: SuiteRunRow;
}

/**
 * Takes the results of a test collector into the run that its key names (rest-facts 7.1, agent-protocol 18). Results
 * that cannot be taken are refused one by one, and `queued` and `skipped` add up to what was sent (rulings 11). The
 * same upload sent again changes nothing and is answered as before (I11).
 */
export const createUpload = defineOperation({
  name: 'upload.create',
  summary: 'Takes test results into a run of a suite.',
  kind: 'command',
  scope: null,
  access: 'internal',
  refusal: 'sentence',
  input: z.object({ format: oneOf(uploadFormats), runEnv: z.record(z.string(), z.unknown(), { error: (issue) => (issue.input === undefined ? 'missing' : 'must be an object') }), tags: z.unknown().optional(), data: z.unknown().refine((data) => data !== undefined, 'missing') }),
  subject: findUploadingSuite,
  run: async (context, given, subject: SuiteSubject): Promise<UploadReceipt> => {
    const read = readUpload(given);
    const locked = await lockRun(context, subject, read.env);
    const earlier = await findUpload(context, locked.run, read);
    if (earlier) return { ...subject, run: locked.run, upload: earlier };
    if (locked.run.uploadsCount >= limits.testUploadsPerRun) throw wrongState(`The run has had ${limits.testUploadsPerRun} uploads; use another key`);
    const upload = await insertUpload(context, locked.run, given.format, read);
    const kept = await keepExecutions(context, locked.run, upload.id, read.taken);
    return { ...subject, upload, run: await advance(context, locked, read.taken, kept) };
  },
});

/** The same upload, taken before; refuses an idempotency key that another one was sent with. */
async function findUpload(context: Context, run: SuiteRunRow, { fingerprint }: ReadUpload): Promise<SuiteUploadRow | undefined> {
  const key = context.request.idempotency?.key;
  if (key !== undefined) {
    const keyed = await context.db.selectFrom('suite_uploads').selectAll().where('suiteId', '=', run.suiteId).where('idempotencyKey', '=', key).executeTakeFirst();
    if (keyed && (keyed.fingerprint !== fingerprint || keyed.runId !== run.id)) throw keyInUse();
  }
  return context.db.selectFrom('suite_uploads').selectAll().where('runId', '=', run.id).where('fingerprint', '=', fingerprint).executeTakeFirst();
}

const keyInUse = () => new Problem('conflict', 'The Idempotency-Key was used with another upload');

async function insertUpload(context: Context, run: SuiteRunRow, format: SuiteUploadRow['format'], { taken, refusals, fingerprint }: ReadUpload): Promise<SuiteUploadRow> {
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
      queued: taken.length,
      skipped: refusals.length,
      errors: jsonb(refusals.slice(0, limits.testErrorsPerUpload)),
      createdAt: context.now,
    })
    // Of two runs at once with one idempotency key the other was first.
    .onConflict((conflict) => conflict.columns(['suiteId', 'idempotencyKey']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) throw keyInUse();
  return row;
}

/** Counts what came, and moves the run on from it. */
async function advance(context: Context, { run, isNew }: LockedRun, taken: readonly TestResult[], kept: number): Promise<SuiteRunRow> {
  const count = (...results: ExecutionResult[]) => taken.filter(({ result }) => results.includes(result)).length;
  const failed = count('failed');
  const standing = afterUpload(run, { processed: taken.length, failed });
  const row = await context.db
    .updateTable('suite_runs')
    .set({
      ...standing,
      uploadsCount: run.uploadsCount + 1,
      passedCount: run.passedCount + count('passed'),
      failedCount: run.failedCount + failed,
      skippedCount: run.skippedCount + count('skipped'),
      unknownCount: run.unknownCount + count('pending', 'unknown'),
      keptCount: run.keptCount + kept,
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

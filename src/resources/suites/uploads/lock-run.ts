import type { Context } from '../../../request/context.js';
import { newRun, runDeadline } from '../../../domain/suites/suite-run-state.js';
import type { SuiteRunRow } from '../../../entities/database.js';
import type { SuiteSubject } from '../../../core/find-suite.js';
import { findBuildOfRun } from './find-build.js';
import type { RunEnv } from './run-env.js';

export interface LockedRun {
  run: SuiteRunRow;
  /** Whether this upload created the run. */
  isNew: boolean;
}

/** Finds the run of a key in a suite and locks it; the first upload with a key creates it. */
export async function lockRun(
  context: Context,
  { suite, organization }: SuiteSubject,
  env: RunEnv,
): Promise<LockedRun> {
  const known = await existing(context, suite.id, env);
  if (known) return known;
  const build = await findBuildOfRun(context, organization, env);
  const inserted = await context.db
    .insertInto('suite_runs')
    .values({
      id: context.newId(),
      organizationId: suite.organizationId,
      suiteId: suite.id,
      ...env,
      branch: env.branch ?? build?.branch ?? null,
      commitSha: env.commitSha ?? build?.commit ?? null,
      buildId: build?.id ?? null,
      ...newRun,
      createdAt: context.now,
      lastUploadAt: context.now,
      deadlineAt: runDeadline(newRun, context.now),
    })
    .onConflict((conflict) => conflict.columns(['suiteId', 'key']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (inserted) return { run: inserted, isNew: true };
  const raced = await existing(context, suite.id, env);
  if (!raced) throw new Error('a run with the key of another is not there');
  return raced;
}

async function existing({ db }: Context, suiteId: string, { key }: RunEnv): Promise<LockedRun | null> {
  const run = await db
    .selectFrom('suite_runs')
    .selectAll()
    .where('suiteId', '=', suiteId)
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst();
  return run ? { run, isNew: false } : null;
}

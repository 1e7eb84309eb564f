import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import type { FailedTest } from '../../../domain/builds/failures/job-failure.js';
import { limits } from '../../../domain/limits/limits.js';
import { hasScope } from '../../../auth/has-scope.js';
import { suiteIsAccessible } from '../../../core/suite-visibility.js';
import type { JobRow } from '../../../entities/database.js';
import { group } from '../../../loaders/batch-loader.js';

/** Most characters of a failure's message. */
const messageLength = 2_000;

/**
 * Tests that failed in runs that the jobs uploaded, at most 20 a job, of suites that the caller may read; none without
 * the scope to.
 */
export async function loadFailedTests(context: Context, jobs: readonly JobRow[]): Promise<Map<string, FailedTest[]>> {
  const { actor, request } = context;
  if (jobs.length === 0) return new Map();
  if (!hasScope(actor, 'read_suites', request.surface)) return new Map();
  const ofJob = context.db
    .selectFrom('suite_runs as r')
    .innerJoin('suites as s', 's.id', 'r.suiteId')
    .innerJoin('suite_executions as e', 'e.runId', 'r.id')
    .innerJoin('suite_tests as t', 't.id', 'e.testId')
    .select((eb) => [
      sql<string>`case when t.scope = '' then t.name else t.scope || ' ' || t.name end`.as('name'),
      eb.fn.coalesce('e.location', 't.location').as('location'),
      sql<string | null>`left(e.failure_reason, ${messageLength})`.as('message'),
    ])
    .where(sql<boolean>`r.build_id = failed.build_id and r.job_id = failed.id::text`)
    .where('e.result', '=', 'failed')
    .where(suiteIsAccessible(actor, 'read'))
    .orderBy('e.id')
    .limit(limits.failedTestsOfJob);
  const { rows } = await sql<FailedTest & { jobId: string }>`select failed.id as job_id, x.* from
    unnest(${sql.val(jobs.map(({ id }) => id))}::uuid[], ${sql.val(jobs.map(({ buildId }) => buildId))}::uuid[])
      as failed(id, build_id) cross join lateral (${ofJob}) as x`.execute(context.db);
  return new Map(
    [...group(rows, ({ jobId }) => jobId)].map(([id, tests]) => [
      id,
      tests.map(({ name, location, message }) => ({ name, location, message })),
    ]),
  );
}

import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import { flakyLabel, hasRecovered, recovery } from '../../../domain/suites/flaky/flaky.js';
import { limits } from '../../../domain/limits/limits.js';
import type { SuiteRunRow } from '../../../entities/database.js';
import { recordSuite } from '../record.js';

/** Flaky tests that one upload sees recover. */
const mostTests = 1_000;

/** Tests of an upload, by what it says of them. */
interface SeenTests {
  /** Those that have passed or failed. */
  testIds: readonly string[];
  /** Those that have done both on its commit. */
  flaky: readonly string[];
  /** Those that the upload changes later on. */
  changedLater: readonly string[];
}

/**
 * Labels the tests of an upload that have both passed and failed on its commit (`flaky`), in whichever run, and takes
 * the label from those that have recovered: the monitor that every suite has. A person may take the label away too: it
 * comes back with the next commit after a recovery.
 */
export async function noteFlakyTests(context: Context, run: SuiteRunRow, tests: SeenTests): Promise<void> {
  const recovered = await recoveredTests(context, run, tests);
  const locked = await lockTests(context, run, tests.flaky, [...recovered, ...tests.changedLater]);
  const alarmed = tests.flaky.filter((id) => locked.has(id));
  if (alarmed.length > 0) await alarm(context, run, alarmed);
  if (recovered.length > 0) await recover(context, run, recovered);
}

/**
 * Locks all tests that an upload changes at once, in the order of their ids, so that two uploads never wait for each
 * other in a circle: flaky ones unless the commit has counted for them, and the others. Returns the ids.
 */
async function lockTests(
  { db }: Context,
  { commitSha }: SuiteRunRow,
  flaky: readonly string[],
  others: readonly string[],
): Promise<ReadonlySet<string>> {
  if (flaky.length + others.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from suite_tests
    where id in (select unnest(${[...flaky, ...others]}::uuid[]))
      and (flaky_commit_sha is distinct from ${commitSha} or id = any(${[...others]}::uuid[]))
    order by id for update`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Counts the commit for each of these tests, once, and labels those that did not count as flaky before. */
async function alarm(context: Context, run: SuiteRunRow, testIds: readonly string[]): Promise<void> {
  const labels = sql`case when since is null and not ${flakyLabel} = any(labels)
    and cardinality(labels) < ${limits.testLabels} then labels || ${flakyLabel}::text else labels end`;
  const { rows } = await sql<{ id: string; isNew: boolean }>`
    with chosen as materialized (
      select id as chosen_id, flaky_since as since from suite_tests
      where id = any(${[...testIds]}::uuid[]) and flaky_commit_sha is distinct from ${run.commitSha}
    )
    update suite_tests set flaky_since = coalesce(since, ${context.now}::timestamptz), flaky_at = ${context.now},
      flaky_commit_sha = ${run.commitSha}, flaky_count = flaky_count + 1, labels = ${labels}
    from chosen where chosen_id = id returning id, since is null as is_new`.execute(context.db);
  record(
    context,
    run,
    'suite.test.flaky',
    rows.filter(({ isNew }) => isNew),
  );
}

/** Those of the tests of an upload that were flaky and have recovered. */
async function recoveredTests(
  { db, now }: Context,
  run: SuiteRunRow,
  { testIds, flaky }: SeenTests,
): Promise<readonly string[]> {
  if (testIds.length === 0) return [];
  const { rows } = await sql<{ id: string; flakyAt: Date; executions: number }>`
    select t.id, t.flaky_at, (select count(*)::int from (select from suite_executions e where e.test_id = t.id
      and e.created_at > t.flaky_at order by e.id desc limit ${recovery.executions}) as later) as executions
    from suite_tests t where t.suite_id = ${run.suiteId} and t.flaky_since is not null
      and t.id in (select unnest(${[...testIds]}::uuid[])) and t.id <> all(${[...flaky]}::uuid[])
      limit ${mostTests}`.execute(db);
  return rows.filter((row) => hasRecovered(row.flakyAt, row.executions, now)).map(({ id }) => id);
}

/** Takes the label from these tests, which are locked, unless another upload has done so. */
async function recover(context: Context, run: SuiteRunRow, testIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update suite_tests set flaky_since = null, flaky_resolved_at = ${context.now},
      labels = array_remove(labels, ${flakyLabel}::text)
    where id = any(${[...testIds]}::uuid[]) and flaky_since is not null returning id`.execute(context.db);
  record(context, run, 'suite.test.recover', rows);
}

/** Records what has become of tests of a suite, with the run that showed it. */
function record(context: Context, run: SuiteRunRow, type: `suite.${string}`, tests: readonly { id: string }[]): void {
  const suite = { id: run.suiteId, organizationId: run.organizationId };
  for (const { id } of tests) recordSuite(context, suite, { type, data: { test: id, run: run.id } });
}

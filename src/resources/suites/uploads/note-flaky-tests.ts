import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import { flakyLabel, hasRecovered, recovery } from '../../../domain/suites/flaky/flaky.js';
import { limits } from '../../../domain/limits/limits.js';
import type { SuiteRunRow } from '../../../entities/database.js';
import { recordSuite } from '../record.js';

/** Flaky tests that one upload sees recover. */
const mostTests = 1_000;

/**
 * Labels the tests of an upload that have both passed and failed on its commit (`flaky`), in whichever run, and takes
 * the label from those that have recovered: the monitor that every suite has. A person may take the label away too: it
 * comes back with the next commit after a recovery.
 */
export async function noteFlakyTests(
  context: Context,
  run: SuiteRunRow,
  testIds: readonly string[],
  flaky: readonly string[],
): Promise<void> {
  if (testIds.length === 0) return;
  if (flaky.length > 0) await alarm(context, run, flaky);
  await recover(context, run, testIds, flaky);
}

/** Counts the commit for each of these tests, once, and labels those that did not count as flaky before. */
async function alarm(context: Context, run: SuiteRunRow, testIds: readonly string[]): Promise<void> {
  const labels = sql`case when since is null and not ${flakyLabel} = any(labels)
    and cardinality(labels) < ${limits.testLabels} then labels || ${flakyLabel}::text else labels end`;
  const { rows } = await sql<{ id: string; isNew: boolean }>`
    with chosen as materialized (
      select id as chosen_id, flaky_since as since from suite_tests
      where id = any(${[...testIds]}::uuid[]) and flaky_commit_sha is distinct from ${run.commitSha}
      order by id for update
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

/** Takes the label from those of these tests that have recovered. */
async function recover(
  context: Context,
  run: SuiteRunRow,
  testIds: readonly string[],
  flaky: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ id: string; flakyAt: Date; executions: number }>`
    select t.id, t.flaky_at, (select count(*)::int from (select from suite_executions e where e.test_id = t.id
      and e.created_at > t.flaky_at order by e.id desc limit ${recovery.executions}) as later) as executions
    from suite_tests t where t.suite_id = ${run.suiteId} and t.flaky_since is not null
      and t.id in (select unnest(${[...testIds]}::uuid[])) and t.id <> all(${[...flaky]}::uuid[])
      limit ${mostTests}`.execute(context.db);
  const ids = rows.filter((row) => hasRecovered(row.flakyAt, row.executions, context.now)).map(({ id }) => id);
  if (ids.length === 0) return;
  const { rows: ended } = await sql<{ id: string }>`
    with chosen as materialized (
      select id as chosen_id from suite_tests where id = any(${ids}::uuid[]) and flaky_since is not null
      order by id for update
    )
    update suite_tests set flaky_since = null, flaky_resolved_at = ${context.now},
      labels = array_remove(labels, ${flakyLabel}::text)
    from chosen where chosen_id = id returning id`.execute(context.db);
  record(context, run, 'suite.test.recover', ended);
}

/** Records what has become of tests of a suite, with the run that showed it. */
function record(context: Context, run: SuiteRunRow, type: `suite.${string}`, tests: readonly { id: string }[]): void {
  const suite = { id: run.suiteId, organizationId: run.organizationId };
  for (const { id } of tests) recordSuite(context, suite, { type, data: { test: id, run: run.id } });
}

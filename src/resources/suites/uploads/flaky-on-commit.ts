import { sql } from 'kysely';
import { isFullSha } from '../../../domain/builds/git-commit-text.js';
import { readTagFilter } from '../../../domain/suites/test-filters.js';
import type { SuiteRunRow } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';
import { tagMatches } from '../measured-tests/conditions.js';
import { readableRuns } from '../suite-runs/readable-runs.js';

/** Newest runs of a commit that are looked at. */
const runsOfCommit = 100;
/** Flaky tests that one upload finds. */
const mostTests = 1_000;

/**
 * Those of these tests that have both passed and failed on the commit of a run, in whichever run, by the executions
 * that match all of some tag filters. None where the run names no whole commit: `HEAD` is another each time.
 */
export async function flakyOnCommit(
  { db }: Context,
  run: SuiteRunRow,
  testIds: readonly string[],
  tagFilters: readonly string[] = [],
): Promise<string[]> {
  if (testIds.length === 0 || run.commitSha === null || !isFullSha(run.commitSha)) return [];
  const runs = await db
    .selectFrom('suite_runs')
    .select(['id', 'keptCount'])
    .where('suiteId', '=', run.suiteId)
    .where('commitSha', '=', run.commitSha)
    .orderBy('id', 'desc')
    .limit(runsOfCommit)
    .execute();
  const runIds = readableRuns(runs);
  const conditions = tagFilters.flatMap((filter) => {
    const read = readTagFilter(filter);
    return 'problem' in read ? [] : [sql`and ${tagMatches(read)}`];
  });
  const tagged = sql.join(conditions, sql` `);
  const executions =
    conditions.length === 0 ? sql`suite_executions e` : sql`suite_executions e join suite_runs r on r.id = e.run_id`;
  const { rows } = await sql<{ testId: string }>`
    with failed as materialized (select distinct e.test_id from ${executions}
      where e.run_id = any(${runIds}::uuid[]) and e.result = 'failed'
        and e.test_id in (select unnest(${[...testIds]}::uuid[])) ${tagged}
      limit ${mostTests})
    select distinct e.test_id from ${executions} where e.run_id = any(${runIds}::uuid[]) and e.result = 'passed'
      and e.test_id in (select test_id from failed) ${tagged}`.execute(db);
  return rows.map(({ testId }) => testId);
}

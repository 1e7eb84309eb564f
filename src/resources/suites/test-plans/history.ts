import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import { limits } from '../../../domain/limits/limits.js';
import type { Timing } from '../../../domain/suites/test-plans/test-plan.js';
import type { SuiteRow } from '../../../entities/database.js';
import { readableRuns } from '../suite-runs/readable-runs.js';
import { sharedTimings } from './shared-timings.js';

const dayMs = 86_400_000;
/** Newest runs of the suite that are looked through for those of its default branch. */
const runsLookedAt = 2_000;
const mostRuns = 100;

/** Ids of the runs that a suite's tests are timed by. */
export type TimedRuns = readonly string[];

/**
 * Newest ended runs of the default branch, of the last 28 days and at most so many that their executions can be read in
 * a moment; runs of all branches where the default branch has none.
 */
export async function timedRuns({ db, now }: Context, suite: SuiteRow): Promise<TimedRuns> {
  const newest = await db
    .selectFrom('suite_runs')
    .select(['id', 'branch', 'state', 'keptCount'])
    .where('suiteId', '=', suite.id)
    .where('createdAt', '>', new Date(now.getTime() - limits.testTimingDays * dayMs))
    .orderBy('id', 'desc')
    .limit(runsLookedAt)
    .execute();
  const ended = newest.filter(({ state, keptCount }) => state === 'finished' && keptCount > 0);
  const ofDefault = ended.filter(({ branch }) => branch === suite.defaultBranch);
  return readableRuns((ofDefault.length > 0 ? ofDefault : ended).slice(0, mostRuns));
}

/**
 * Median time of files by path, over the runs: the sum of the passed executions of a file in each. Paths that are no
 * file of a test are looked for among the scopes: a package of Go is named by what its tests have for a scope.
 */
export async function timingsOfFiles(
  context: Context,
  runs: TimedRuns,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Timing>> {
  return sharedTimings(context.services, ['files', runs, paths], async () => {
    const byFile = await timingsBy(context, runs, sql`regexp_replace(t.file_name, '^\\./', '')`, paths);
    const missing = paths.filter((path) => !byFile.has(path));
    const byScope = await timingsBy(context, runs, sql`t.scope`, missing);
    return new Map([...byScope, ...byFile]);
  });
}

async function timingsBy(
  { db }: Context,
  runs: TimedRuns,
  key: ReturnType<typeof sql>,
  keys: readonly string[],
): Promise<Map<string, Timing>> {
  if (runs.length === 0 || keys.length === 0) return new Map();
  const { rows } = await sql<{ key: string; ms: number; samples: number }>`
    select key, percentile_cont(0.5) within group (order by seconds) * 1000 as ms, count(*)::int as samples
    from (
      select ${key} as key, e.run_id, sum(e.duration) as seconds
      from suite_executions e join suite_tests t on t.id = e.test_id
      where e.run_id = any(${[...runs]}::uuid[]) and e.result = 'passed' and e.duration is not null
        and ${key} = any(${[...keys]}::text[])
      group by 1, 2
    ) as runs_of_file
    group by key`.execute(db);
  return new Map(rows.map(({ key: path, ms, samples }) => [path, { ms, samples }]));
}

/** Median time of tests by identity, over their passed executions in the runs. */
export async function timingsOfTests(
  { db, services }: Context,
  suite: SuiteRow,
  runs: TimedRuns,
  identities: readonly string[],
): Promise<ReadonlyMap<string, Timing>> {
  if (runs.length === 0 || identities.length === 0) return new Map();
  return sharedTimings(services, ['tests', suite.id, runs, identities], async () => {
    const { rows } = await sql<{ identity: string; ms: number; samples: number }>`
      select t.identity, percentile_cont(0.5) within group (order by e.duration) * 1000 as ms, count(*)::int as samples
      from suite_tests t join suite_executions e on e.test_id = t.id
      where t.suite_id = ${suite.id} and t.identity = any(${[...identities]}::text[])
        and e.run_id = any(${[...runs]}::uuid[]) and e.result = 'passed' and e.duration is not null
      group by 1`.execute(db);
    return new Map(rows.map(({ identity, ms, samples }) => [identity, { ms, samples }]));
  });
}

/** A test of the suite that runners treat in a way of its own. */
export interface TreatedTest {
  scope: string;
  name: string;
  fileName: string | null;
  state: string;
}

/** Tests of the suite that are muted or skipped, oldest first, so many at most as a plan names. */
export function treatedTests({ db }: Context, suite: SuiteRow): Promise<TreatedTest[]> {
  return db
    .selectFrom('suite_tests')
    .select(['scope', 'name', 'fileName', 'state'])
    .where('suiteId', '=', suite.id)
    .where(sql<boolean>`state <> 'enabled'`)
    .orderBy('id')
    .limit(limits.testPlanTreated)
    .execute();
}

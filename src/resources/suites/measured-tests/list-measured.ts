import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { type Ordering, type Page, paginate, type Paging } from '../../../core/paging.js';
import { executionResults } from '../../../domain/suites/results/result.js';
import { readMatch, readNames, readTagFilter, type TagFilter } from '../../../domain/suites/test-filters.js';
import type { Database, SuiteTestRow } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';
import { matches, tagMatches } from './conditions.js';
import { type ExecutionFilters, type TestFilters, type TestMetric, type TestOrder, usualMetric } from './filters.js';
import type { MeasuredTest } from './measured-test.js';

/** The metrics of a test out of its executions `e`. */
const metrics: Readonly<Record<TestMetric, RawBuilder<number | null>>> = {
  duration_avg: sql`avg(e.duration)`,
  duration_sum: sql`sum(e.duration)`,
  duration_min: sql`min(e.duration)`,
  duration_max: sql`max(e.duration)`,
  reliability: sql`(count(*) filter (where e.result = 'passed'))::float8 / nullif(count(*) filter (where e.result in
    ('passed', 'failed')), 0)`,
};

/** Executions `e` of runs `r`, those that count. */
type Executions = SelectQueryBuilder<
  Database & { e: Database['suite_executions']; r: Database['suite_runs'] },
  'e' | 'r',
  object
>;
type Tests<Shown> = SelectQueryBuilder<Database & { t: Database['suite_tests'] }, 't', Shown>;

/** A page of the tests that have executions that count, with their metrics over these. */
export function listMeasured(
  context: Context,
  counted: Executions,
  input: ExecutionFilters & TestFilters & { paging: Paging },
  choose: (tests: Tests<SuiteTestRow>) => Tests<SuiteTestRow> = (tests) => tests,
): Promise<Page<MeasuredTest>> {
  const { sortBy, order } = { sortBy: input.sortBy ?? usualMetric, order: input.order ?? 'desc' };
  const filters = (input.tags ?? []).map(readTagFilter).filter((filter): filter is TagFilter => 'key' in filter);
  let executions = counted
    .groupBy('e.testId')
    .select('e.testId')
    .select(executionResults.map((result) => countOf(result).as(result)))
    .select([
      sql<number>`count(*)::int`.as('executionsCount'),
      metrics.reliability.as('reliability'),
      metrics.duration_avg.as('durationAverage'),
      metrics.duration_sum.as('durationSum'),
      metrics.duration_min.as('durationMinimum'),
      metrics.duration_max.as('durationMaximum'),
    ])
    .select(sql<number>`coalesce(${metrics[sortBy]}, ${sql.raw(beyondAll[order])})`.as(keyOf(sortBy)));
  if (input.branch) executions = executions.where(matches(sql`r.branch`, readMatch(input.branch)));
  for (const filter of filters) {
    const condition = tagMatches(filter);
    if (filter.of === 'matching') executions = executions.where(condition);
    else executions = executions.having(sql<boolean>`${aggregates[filter.of]}(${condition})`);
  }
  const query = choose(chosenTests(context.db.selectFrom('suite_tests as t').selectAll('t'), input))
    .innerJoin(executions.as('m'), 'm.testId', 't.id')
    .select([...executionResults.map((result) => `m.${result}` as const), 'm.executionsCount', 'm.reliability'])
    .select(['m.durationAverage', 'm.durationSum', 'm.durationMinimum', 'm.durationMaximum'])
    .select(sql<number>`${sql.ref(`m.${keyOf(sortBy)}`)}`.as('sortKey'));
  return paginate<MeasuredTest>(context.db, query, orderingOf(sortBy, order), input.paging);
}

/** Tests with the labels and the state that are asked for. */
export function chosenTests<Shown>(tests: Tests<Shown>, input: TestFilters): Tests<Shown> {
  let query = tests;
  const labels = readNames(input.labels ?? []);
  if (labels.wanted.length > 0) query = query.where(sql<boolean>`t.labels @> ${labels.wanted}::text[]`);
  if (labels.unwanted.length > 0) query = query.where(sql<boolean>`not t.labels && ${labels.unwanted}::text[]`);
  if (input.state) query = query.where('t.state', '=', input.state);
  if (input.flaky) query = query.where('t.flakySince', 'is not', null);
  const owners = readNames(input.owners ?? []);
  if (owners.wanted.length > 0) query = query.where(sql<boolean>`t.owners && ${owners.wanted}::text[]`);
  if (owners.unwanted.length > 0) query = query.where(sql<boolean>`not t.owners && ${owners.unwanted}::text[]`);
  return query;
}

/** What takes the place of a metric that a test has not, so that it comes last. */
const beyondAll = { asc: `'infinity'::float8`, desc: `'-infinity'::float8` };
const keyOf = (sortBy: TestMetric) => `${sortBy}_key` as const;
const aggregates = { some: sql.raw('bool_or'), every: sql.raw('bool_and') };

const countOf = (result: string) => sql<number>`(count(*) filter (where e.result = ${sql.lit(result)}))::int`;

const orderingOf = (sortBy: TestMetric, direction: TestOrder): Ordering<MeasuredTest> => ({
  column: `m.${keyOf(sortBy)}`,
  id: 't.id',
  direction,
  // As text, because JSON has no infinite numbers.
  key: ({ sortKey }) => String(sortKey),
  type: 'float8',
});

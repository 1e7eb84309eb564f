import { sql } from 'kysely';
import { z } from 'zod';
import { standing } from '../../../auth/authorize.js';
import type { Context } from '../../../request/context.js';
import { inOrganization } from '../../../core/address.js';
import { findBuild } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, type Ordering, type Page, paginate, paging } from '../../../core/paging.js';
import type { BuildSubject } from '../../../core/subject.js';
import { suiteIsAccessible } from '../../../core/suite-visibility.js';
import { oneOf, text } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import { executionResults } from '../../../domain/suites/results/result.js';
import { testStates } from '../../../domain/suites/results/test-state.js';
import {
  branchFilterProblem,
  readMatch,
  readNames,
  readTagFilter,
  type TagFilter,
} from '../../../domain/suites/test-filters.js';
import type { BuildTest } from '../../../resources/suites/build-tests/build-test.js';
import { matches, tagMatches } from '../../../resources/suites/build-tests/conditions.js';

/** The metrics that tests of a build are sorted by, out of their executions `e`. */
const metrics = {
  duration_avg: sql<number | null>`avg(e.duration)`,
  duration_sum: sql<number | null>`sum(e.duration)`,
  duration_min: sql<number | null>`min(e.duration)`,
  duration_max: sql<number | null>`max(e.duration)`,
  reliability: sql<
    number | null
  >`(count(*) filter (where e.result = 'passed'))::float8 / nullif(count(*) filter (where e.result in ('passed',
    'failed')), 0)`,
};
type Metric = keyof typeof metrics;
export const buildTestMetrics = Object.keys(metrics) as [Metric, ...Metric[]];
export const buildTestOrders = ['asc', 'desc'] as const;

const names = z.array(text(limits.filterLength)).max(limits.filterValues);

const checked = (length: number, problemOf: (value: string) => string | null) =>
  text(length).superRefine((value, context) => {
    const message = problemOf(value);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

/**
 * Lists the tests that ran in a build, of every suite that the caller may read, with the metrics of their executions in
 * it. Every execution of the build's runs counts, whenever it was uploaded, unless `branch` or `tags` leave it out.
 */
export const listBuildTests = defineOperation({
  name: 'build-test.list',
  summary: 'Lists the tests that ran in a build.',
  kind: 'query',
  scope: 'read_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    build: inOrganization,
    /** Labels that tests have, all of them, and after a `!` those that they have not. */
    labels: names.nullish(),
    /** Branch of the executions that count; `!` excludes it, `*` at its end stands for anything. */
    branch: checked(limits.branchLength + 1, branchFilterProblem).nullish(),
    /** Owners of tests, with or without a `!`. No test has any. */
    owners: names.nullish(),
    state: oneOf(testStates).nullish(),
    /** Tags of the executions that count, as `readTagFilter` reads them. */
    tags: z
      .array(checked(limits.testTagKeyBytes + limits.testTagValueLength + 3, tagFilterProblem))
      .max(limits.filterValues)
      .nullish(),
    sortBy: oneOf(buildTestMetrics).default('duration_avg'),
    /** Tests without the metric are last either way. */
    order: oneOf(buildTestOrders).default('desc'),
    paging: paging.default(defaultPaging),
  }),
  subject: findBuildOfMember,
  run: async (context, input, { build }: BuildSubject): Promise<Page<BuildTest>> => {
    const { sortBy, order, state } = input;
    const filters = (input.tags ?? []).map(readTagFilter).filter((filter): filter is TagFilter => 'key' in filter);
    let executions = context.db
      .selectFrom('suite_executions as e')
      .innerJoin('suite_runs as r', 'r.id', 'e.runId')
      .innerJoin('suites as s', 's.id', 'r.suiteId')
      .where('r.buildId', '=', build.id)
      .where(suiteIsAccessible(context.actor, 'read'))
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
    let query = context.db
      .selectFrom('suite_tests as t')
      .innerJoin(executions.as('m'), 'm.testId', 't.id')
      .selectAll('t')
      .select([...executionResults.map((result) => `m.${result}` as const), 'm.executionsCount', 'm.reliability'])
      .select(['m.durationAverage', 'm.durationSum', 'm.durationMinimum', 'm.durationMaximum'])
      .select(sql<number>`${sql.ref(`m.${keyOf(sortBy)}`)}`.as('sortKey'));
    const { wanted, unwanted } = readNames(input.labels ?? []);
    if (wanted.length > 0) query = query.where(sql<boolean>`t.labels @> ${wanted}::text[]`);
    if (unwanted.length > 0) query = query.where(sql<boolean>`not t.labels && ${unwanted}::text[]`);
    if (state) query = query.where('t.state', '=', state);
    if (readNames(input.owners ?? []).wanted.length > 0) query = query.where(sql<boolean>`false`);
    return paginate<BuildTest>(context.db, query, orderingOf(sortBy, order), input.paging);
  },
});

/** What takes the place of a metric that a test has not, so that it comes last. */
const beyondAll = { asc: `'infinity'::float8`, desc: `'-infinity'::float8` };
const keyOf = (sortBy: Metric) => `${sortBy}_key` as const;
const aggregates = { some: sql.raw('bool_or'), every: sql.raw('bool_and') };

const countOf = (result: string) => sql<number>`(count(*) filter (where e.result = ${sql.lit(result)}))::int`;

const orderingOf = (sortBy: Metric, direction: 'asc' | 'desc'): Ordering<BuildTest> => ({
  column: `m.${keyOf(sortBy)}`,
  id: 't.id',
  direction,
  // As text, because JSON has no infinite numbers.
  key: ({ sortKey }) => String(sortKey),
  type: 'float8',
});

function tagFilterProblem(filter: string): string | null {
  const read = readTagFilter(filter);
  return 'problem' in read ? read.problem : null;
}

/** Finds a build in an organization of the caller: suites are for members, even where the build is public. */
async function findBuildOfMember(
  context: Context,
  { build: address }: { build: z.output<typeof inOrganization> },
): Promise<BuildSubject | null> {
  const build = await findBuild(context, { id: address.id });
  if (!build || standing(context.actor, build.organization.id) === 'visitor') return null;
  return 'organization' in address && build.organization.slug !== address.organization ? null : build;
}

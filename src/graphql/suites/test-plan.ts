import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Float, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { type NodeReport, type PlannedTest, targetFormats } from '../../domain/suites/test-plans/test-plan.js';
import type { SuiteRow, TestPlanRow } from '../../entities/database.js';
import { filterTestFiles } from '../../operations/suites/test-plans/filter-files.js';
import { getTestPlan } from '../../operations/suites/test-plans/get.js';
import { timeTestFiles } from '../../operations/suites/test-plans/time-files.js';
import type { GraphqlContext } from '../context.js';
import { SuiteTestPlanFormats } from '../enums.js';
import { ReadBy } from '../execution/on-the-way.js';
import { Dear, dear } from '../limits/dear.js';
import { optional } from '../server/options.js';
import { DateTime } from '../scalars/date-time.js';
import { Suite } from './suite.js';

@ObjectType({ description: 'Test by what a test suite knows it by.' })
export class SuiteTestName {
  @Field(() => String, { description: 'Scope of the test.' })
  scope!: string;

  @Field(() => String, { description: 'Name of the test.' })
  name!: string;
}

@ObjectType({ description: 'File, example or selector that a parallel job runs.' })
export class SuiteTestPlanTest {
  @Field(() => SuiteTestPlanFormats, { description: 'Kind of thing that the path names.' })
  format!: string;

  @Field(() => String, { description: 'File, or what the test runner takes for the example or selector.' })
  path!: string;

  @Field(() => String, { ...optional, description: 'Text that the test runner retries an example by; null without.' })
  identifier!: string | null;

  @Field(() => String, { ...optional, description: 'Name of an example; null without one.' })
  name!: string | null;

  @Field(() => String, { ...optional, description: 'Scope of an example; null without one.' })
  scope!: string | null;

  @Field(() => Float, { description: 'Seconds that the test is expected to take.' })
  estimatedDuration!: number;

  @Field(() => Int, { description: 'Number of runs or executions that the estimate is of; 0 without any.' })
  samplesCount!: number;
}

@ObjectType({ description: 'Report of a parallel job on the tests it ran.' })
export class SuiteTestPlanReport {
  @Field(() => String, { description: 'Version of the client.' })
  version!: string;

  @Field(() => Float, { ...optional, description: 'Seconds that the tests took; null when the client did not say.' })
  duration!: number | null;

  @Field(() => Int, { ...optional, description: 'Number of tests; null when the client did not count.' })
  testsCount!: number | null;

  @Field(() => Int, { ...optional, description: 'Number of failed tests; null when the client did not count.' })
  failedCount!: number | null;

  @Field(() => Int, { ...optional, description: 'Number of tests that passed when retried; null when not counted.' })
  passedOnRetryCount!: number | null;

  @Field(() => Int, { ...optional, description: 'Number of muted tests that failed; null when not counted.' })
  mutedFailedCount!: number | null;
}

@ObjectType({ description: 'Tests of one parallel job.' })
export class SuiteTestPlanNode {
  @Field(() => Int, { description: 'Number of the parallel job, from 0.' })
  number!: number;

  @Field(() => Float, { description: 'Seconds that the tests of the job are expected to take.' })
  estimatedDuration!: number;

  @Field(() => [SuiteTestPlanTest], { description: 'Tests of the job.' })
  tests!: SuiteTestPlanTest[];

  @Field(() => SuiteTestPlanReport, { ...optional, description: 'Report of the job; null before it has ended.' })
  report!: SuiteTestPlanReport | null;
}

@ObjectType({ description: 'Durations of one format that a plan was made from.' })
export class SuiteTestPlanTimings {
  @Field(() => SuiteTestPlanFormats, { description: 'Format that the durations are of.' })
  format!: string;

  @Field(() => Float, { ...optional, description: 'Median of the known durations in seconds; null without any.' })
  medianDuration!: number | null;

  @Field(() => Float, { description: 'Seconds that are expected where nothing is known.' })
  defaultDuration!: number;
}

@ObjectType({ description: 'Plan by which the parallel jobs of a step split the tests of a test suite.' })
export class SuiteTestPlan {
  @Field(() => String, { description: 'Text that the jobs of the step ask with.' })
  identifier!: string;

  @Field(() => String, { description: 'Branch that the plan was made for; empty when the client did not say.' })
  branch!: string;

  @Field(() => Int, { description: 'Number of parallel jobs.' })
  parallelism!: number;

  @Field(() => Float, { ...optional, description: 'Share of the tests with a history; null without any test.' })
  knownTimingsRatio!: number | null;

  @Field(() => [SuiteTestPlanNode], { description: 'Parallel jobs with their tests.' })
  nodes!: SuiteTestPlanNode[];

  @Field(() => [SuiteTestPlanTimings], { description: 'Durations that the plan was made from.' })
  timings!: SuiteTestPlanTimings[];

  @Field(() => [SuiteTestName], { description: 'Tests whose failures do not count.' })
  mutedTests!: SuiteTestName[];

  @Field(() => [SuiteTestName], { description: 'Tests that the plan leaves out.' })
  skippedTests!: SuiteTestName[];

  @Field(() => DateTime, { description: 'Time the plan was made.' })
  createdAt!: Date;
}

@ObjectType({ description: 'Duration of a file of tests.' })
export class SuiteTestFileDuration {
  @Field(() => String, { description: 'Path of the file, as it was named.' })
  path!: string;

  @Field(() => Float, { description: 'Median of the runs of the file in seconds.' })
  duration!: number;
}

@ArgsType()
class TestFilesToSplitArguments {
  @Field(() => [String], { description: 'Paths of the files of tests.' })
  paths!: string[];

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Also the files that take longer than the share of a job.',
  })
  slow!: boolean;

  @Field(() => Int, { defaultValue: 1, description: 'Number of parallel jobs.' })
  parallelism!: number;

  @Field(() => Int, { ...optional, description: 'Most parallel jobs, when the plan is to say how many run.' })
  maxParallelism?: number | null;

  @Field(() => Float, { ...optional, description: 'Seconds that the tests of a job are to take.' })
  targetTime?: number | null;
}

@Resolver(() => Suite)
export class TestPlansOfSuiteResolver {
  @Dear(dear.manyRows)
  @ReadBy(getTestPlan)
  @FieldResolver(() => SuiteTestPlan, {
    ...optional,
    description: 'Plan that the parallel jobs of a step share; null before the first of them has asked.',
  })
  async testPlan(
    @Root() suite: SuiteRow,
    @Ctx() context: GraphqlContext,
    @Arg('identifier', () => String, { description: 'Text that the jobs of the step ask with.' }) identifier: string,
  ): Promise<SuiteTestPlan | null> {
    const output = await context.findInBatch(getTestPlan, { suite: { id: suite.id } }, { identifier });
    return output && shownPlan(output.plan);
  }

  @Dear(dear.manyRows)
  @ReadBy(timeTestFiles)
  @FieldResolver(() => [SuiteTestFileDuration], {
    description: 'Durations of files of tests, of those that were run before.',
  })
  async testFileDurations(
    @Root() suite: SuiteRow,
    @Ctx() context: GraphqlContext,
    @Arg('paths', () => [String], { description: 'Paths of the files of tests.' }) paths: string[],
  ): Promise<SuiteTestFileDuration[]> {
    const times = await context.perform(timeTestFiles, { suite: { id: suite.id }, paths });
    return times.map(({ path, duration }) => ({ path, duration: duration / 1000 }));
  }

  @Dear(dear.manyRows)
  @ReadBy(filterTestFiles)
  @FieldResolver(() => [String], { description: 'Paths of the files that should be split into their examples.' })
  testFilesToSplit(
    @Root() suite: SuiteRow,
    @Ctx() context: GraphqlContext,
    @Args(() => TestFilesToSplitArguments) args: TestFilesToSplitArguments,
  ): Promise<string[]> {
    const { paths, slow, ...nodes } = args;
    const files = paths.map((path) => ({ path }));
    return context.perform(filterTestFiles, { suite: { id: suite.id }, files, slow, ...nodes });
  }
}

/** A stored plan as it is shown. */
export function shownPlan({ identifier, branch, plan, reports, createdAt }: TestPlanRow): SuiteTestPlan {
  return {
    identifier,
    branch,
    parallelism: plan.nodes.length,
    knownTimingsRatio: plan.known,
    nodes: plan.nodes.map((tests, number) => ({
      number,
      estimatedDuration: tests.reduce((sum, { estimate }) => sum + estimate, 0) / 1000,
      tests: tests.map(shownTest),
      report: shownReport(reports[number]),
    })),
    timings: targetFormats.flatMap((format) => {
      const timings = plan.timings[format];
      if (timings === undefined) return [];
      const { median, default: usual } = timings;
      return [{ format, medianDuration: median === null ? null : median / 1000, defaultDuration: usual / 1000 }];
    }),
    mutedTests: plan.muted,
    skippedTests: plan.skipped,
    createdAt,
  };
}

const shownTest = ({ format, path, identifier, name, scope, estimate, samples }: PlannedTest): SuiteTestPlanTest => ({
  format,
  path,
  identifier: identifier ?? null,
  name: name ?? null,
  scope: scope ?? null,
  estimatedDuration: estimate / 1000,
  samplesCount: samples,
});

function shownReport(report: NodeReport | undefined): SuiteTestPlanReport | null {
  if (report === undefined) return null;
  const { version, duration, statistics } = report;
  return {
    version,
    duration,
    testsCount: statistics['total'] ?? null,
    failedCount: statistics['failed'] ?? null,
    passedOnRetryCount: statistics['passed_on_retry'] ?? null,
    mutedFailedCount: statistics['muted_failed'] ?? null,
  };
}

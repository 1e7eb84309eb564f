import { Arg, Ctx, Field, Float, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { createTestPlan } from '../../operations/suites/test-plans/create.js';
import { reportTestPlan } from '../../operations/suites/test-plans/report.js';
import type { GraphqlContext } from '../context.js';
import { IdInput, MutationPayload, payload } from '../mutation-input.js';
import { uuidOf } from '../nodes/ids.js';
import { optional } from '../server/options.js';
import { shownPlan, SuiteTestPlan, TestPlansOfSuiteResolver } from './test-plan.js';

@InputType({ description: 'Example of a file of tests.' })
class SuiteTestPlanExampleInput {
  @Field(() => String, { description: 'Text that the test runner takes for the example.' })
  path!: string;

  @Field(() => String, { ...optional, description: 'Text that the test runner retries the example by.' })
  identifier?: string | null;

  @Field(() => String, { ...optional, description: 'Name of the example.' })
  name?: string | null;

  @Field(() => String, { ...optional, description: 'Scope of the example.' })
  scope?: string | null;
}

@InputType({ description: 'Input of `suiteTestPlanCreate`.' })
class SuiteTestPlanCreateInput extends IdInput {
  @Field(() => String, { description: 'Text that the jobs of the step ask with.' })
  identifier!: string;

  @Field(() => String, { ...optional, description: 'Branch of the build.' })
  branch?: string | null;

  @Field(() => Int, { ...optional, description: 'Number of parallel jobs.' })
  parallelism?: number | null;

  @Field(() => Int, { ...optional, description: 'Most parallel jobs, when the plan is to say how many run.' })
  maxParallelism?: number | null;

  @Field(() => Float, { ...optional, description: 'Seconds that the tests of a job are to take.' })
  targetTime?: number | null;

  @Field(() => String, { ...optional, description: 'Folder that uploaded paths have in front of selectors.' })
  locationPrefix?: string | null;

  @Field(() => [String], { ...optional, description: 'Paths of files to run.' })
  files?: string[] | null;

  @Field(() => [SuiteTestPlanExampleInput], { ...optional, description: 'Examples to run.' })
  examples?: SuiteTestPlanExampleInput[] | null;

  @Field(() => [String], { ...optional, description: 'Selectors to run.' })
  selectors?: string[] | null;
}

@InputType({ description: 'Input of `suiteTestPlanReport`.' })
class SuiteTestPlanReportInput extends IdInput {
  @Field(() => String, { description: 'Text that the jobs of the step ask with.' })
  identifier!: string;

  @Field(() => Int, { description: 'Number of the parallel job, from 0.' })
  node!: number;

  @Field(() => String, { ...optional, description: 'Version of the client.' })
  version?: string | null;

  @Field(() => Float, { ...optional, description: 'Seconds that the tests took.' })
  duration?: number | null;

  @Field(() => Int, { ...optional, description: 'Number of tests.' })
  testsCount?: number | null;

  @Field(() => Int, { ...optional, description: 'Number of failed tests.' })
  failedCount?: number | null;

  @Field(() => Int, { ...optional, description: 'Number of tests that passed when retried.' })
  passedOnRetryCount?: number | null;

  @Field(() => Int, { ...optional, description: 'Number of muted tests that failed.' })
  mutedFailedCount?: number | null;
}

@ObjectType({ description: 'Result of `suiteTestPlanCreate`.' })
class SuiteTestPlanCreatePayload extends MutationPayload {
  @Field(() => SuiteTestPlan, { description: 'Plan that the jobs of the step share.' })
  suiteTestPlan!: unknown;
}

@ObjectType({ description: 'Result of `suiteTestPlanReport`.' })
class SuiteTestPlanReportPayload extends MutationPayload {
  @Field(() => SuiteTestPlan, { description: 'Plan with the report.' })
  suiteTestPlan!: unknown;
}

@Resolver()
class SuiteTestPlanMutations {
  @Mutation(() => SuiteTestPlanCreatePayload, {
    ...optional,
    description: 'Splits tests of a test suite over parallel jobs, or returns the plan that another job has made.',
  })
  async suiteTestPlanCreate(
    @Arg('input', () => SuiteTestPlanCreateInput, { description: 'Test suite with what is to be run.' })
    input: SuiteTestPlanCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { id, files, examples, selectors, branch, parallelism, clientMutationId: _, ...rest } = input;
    const { plan } = await context.command(createTestPlan, {
      ...rest,
      branch: branch ?? undefined,
      parallelism: parallelism ?? undefined,
      suite: { id: uuidOf(id, ['Suite']) },
      tests: {
        files: files?.map((path) => ({ path })),
        examples,
        selectors: selectors?.map((value) => ({ value })),
      },
    });
    return payload(input, { suiteTestPlan: shownPlan(plan) });
  }

  @Mutation(() => SuiteTestPlanReportPayload, {
    ...optional,
    description: 'Notes how a parallel job has run its part of a plan.',
  })
  async suiteTestPlanReport(
    @Arg('input', () => SuiteTestPlanReportInput, { description: 'Parallel job with its report.' })
    input: SuiteTestPlanReportInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { testsCount, failedCount, passedOnRetryCount, mutedFailedCount } = input;
    const counts = {
      total: testsCount,
      failed: failedCount,
      passed_on_retry: passedOnRetryCount,
      muted_failed: mutedFailedCount,
    };
    const { plan } = await context.command(reportTestPlan, {
      suite: { id: uuidOf(input.id, ['Suite']) },
      identifier: input.identifier,
      node: input.node,
      version: input.version ?? undefined,
      duration: input.duration,
      statistics: Object.fromEntries(
        Object.entries(counts).filter(([, count]) => count !== null && count !== undefined),
      ),
    });
    return payload(input, { suiteTestPlan: shownPlan(plan) });
  }
}

/** The resolvers of test plans. */
export const testPlanResolvers = [TestPlansOfSuiteResolver, SuiteTestPlanMutations] as const;

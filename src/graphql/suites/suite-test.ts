import { Args, Ctx, Field, FieldResolver, Float, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { TestMetrics } from '../../domain/test-results/metrics.js';
import type { SuiteTestRow } from '../../entities/database.js';
import { listExecutions } from '../../operations/executions/list.js';
import { webUrls } from '../../web-urls.js';
import { stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { SuiteTestStates } from '../enums.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { DateTime } from '../scalars/date-time.js';
import { SuiteExecutionsArguments } from './suite-arguments.js';
import { SuiteExecutionConnection } from './suite-execution.js';
import { Suite } from './suite.js';

@ObjectType({ description: 'How often a test came to each result.' })
export class SuiteTestCounts {
  @Field(() => Int)
  passed!: number;

  @Field(() => Int)
  failed!: number;

  @Field(() => Int)
  skipped!: number;

  @Field(() => Int)
  pending!: number;

  @Field(() => Int)
  unknown!: number;
}

@ObjectType({ description: 'How a test has done in the executions that are kept. Durations are seconds.' })
export class SuiteTestMetrics {
  @Field(() => Float, { ...optional, description: 'The part that passed of those that passed or failed.' })
  reliability!: number | null;

  @Field(() => Float, optional)
  durationAverage!: number | null;

  @Field(() => Float, optional)
  durationSum!: number | null;

  @Field(() => Float, optional)
  durationMinimum!: number | null;

  @Field(() => Float, optional)
  durationMaximum!: number | null;

  @Field(() => Int)
  executionsCount!: number;

  @Field(() => SuiteTestCounts)
  countByResult!: SuiteTestCounts;
}

@ObjectType({ implements: Node, description: 'A test of a suite, known by its scope and name.' })
export class SuiteTest {
  @Field(() => String, { name: 'uuid' })
  id!: string;

  @Field(() => String)
  scope!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String, { ...optional, description: 'File and line.' })
  location!: string | null;

  @Field(() => String, optional)
  fileName!: string | null;

  @Field(() => SuiteTestStates)
  state!: string;

  @Field(() => [String])
  labels!: string[];

  @Field(() => DateTime)
  createdAt!: Date;
}

export const { Connection: SuiteTestConnection } = connectionOf('SuiteTest', () => SuiteTest);

@Resolver(() => SuiteTest)
export class SuiteTestResolver {
  @FieldResolver(() => SuiteExecutionConnection, { ...optional, description: 'Its history: executions, newest first.' })
  async executions(@Root() test: SuiteTestRow, @Ctx() context: GraphqlContext, @Args(() => SuiteExecutionsArguments) given: SuiteExecutionsArguments) {
    return connectionValue(await context.perform(listExecutions, { of: { test: { id: test.id } }, result: given.result, paging: stretchOf(given) }));
  }

  @FieldResolver(() => SuiteTestMetrics)
  metrics(@Root() test: SuiteTestRow, @Ctx() context: GraphqlContext): Promise<TestMetrics> {
    return context.load.testMetrics.load(test.id);
  }

  @FieldResolver(() => Suite)
  suite(@Root() test: SuiteTestRow, @Ctx() context: GraphqlContext) {
    return context.load.suite.load(test.suiteId);
  }

  @FieldResolver(() => String, { description: 'Its page.' })
  async url(@Root() test: SuiteTestRow, @Ctx() context: GraphqlContext): Promise<string> {
    const [organization, suite] = await Promise.all([context.load.organization.load(test.organizationId), context.load.suite.load(test.suiteId)]);
    return webUrls.suiteTest(context.baseUrl, organization?.slug ?? '', suite?.slug ?? '', test.id);
  }
}

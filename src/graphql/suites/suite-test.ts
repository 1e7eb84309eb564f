import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, FieldResolver, Float, Info, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { TestMetrics } from '../../domain/suites/results/metrics.js';
import type { Row, SuiteTestRow } from '../../entities/database.js';
import { webUrls } from '../../services/web-urls.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { SuiteTestStates } from '../enums.js';
import { Node } from '../nodes/node.js';
import { Team } from '../organizations/teams/team.js';
import { optional } from '../server/options.js';
import { DateTime } from '../scalars/date-time.js';
import { Suite } from './suite.js';

@ObjectType({ description: 'Number of executions of a test by result.' })
export class SuiteTestCounts {
  @Field(() => Int, { description: 'Number of executions that passed.' })
  passed!: number;

  @Field(() => Int, { description: 'Number of executions that failed.' })
  failed!: number;

  @Field(() => Int, { description: 'Number of executions that were skipped.' })
  skipped!: number;

  @Field(() => Int, { description: 'Number of executions that were pending.' })
  pending!: number;

  @Field(() => Int, { description: 'Number of executions without a known result.' })
  unknown!: number;
}

@ObjectType({ description: 'Metrics of a test over its stored executions. Durations are in seconds.' })
export class SuiteTestMetrics {
  @Field(() => Float, {
    ...optional,
    description: 'Share of passed executions among those that passed or failed, from 0 to 1; null without any.',
  })
  reliability!: number | null;

  @Field(() => Float, { ...optional, description: 'Average duration in seconds; null without any duration.' })
  durationAverage!: number | null;

  @Field(() => Float, { ...optional, description: 'Sum of the durations in seconds; null without any duration.' })
  durationSum!: number | null;

  @Field(() => Float, { ...optional, description: 'Shortest duration in seconds; null without any duration.' })
  durationMinimum!: number | null;

  @Field(() => Float, { ...optional, description: 'Longest duration in seconds; null without any duration.' })
  durationMaximum!: number | null;

  @Field(() => Int, { description: 'Number of executions.' })
  executionsCount!: number;

  @Field(() => SuiteTestCounts, { description: 'Number of executions by result.' })
  countByResult!: SuiteTestCounts;
}

@ObjectType({ description: 'Commits on which a test has both passed and failed.' })
export class SuiteTestFlakiness {
  @Field(() => DateTime, {
    ...optional,
    description: 'Time since when the test counts as flaky; null when it recovered.',
  })
  since!: Date | null;

  @Field(() => DateTime, { description: 'Time of the latest such commit.' })
  latestAt!: Date;

  @Field(() => Int, { description: 'Number of such commits.' })
  commitsCount!: number;

  @Field(() => DateTime, { ...optional, description: 'Time the test recovered last; null for never.' })
  resolvedAt!: Date | null;
}

@ObjectType({ implements: Node, description: 'Test of a test suite, identified by its scope and name.' })
export class SuiteTest {
  @Field(() => String, { name: 'uuid', description: 'UUID of the test; `id` in the REST API.' })
  id!: string;

  @Field(() => String, { description: 'Scope of the test, such as the enclosing group or class.' })
  scope!: string;

  @Field(() => String, { description: 'Name of the test.' })
  name!: string;

  @Field(() => String, { ...optional, description: 'File and line of the test; null when unknown.' })
  location!: string | null;

  @Field(() => String, { ...optional, description: 'File of the test; null when unknown.' })
  fileName!: string | null;

  @Field(() => SuiteTestStates, { description: 'Treatment of the test by test runners.' })
  state!: string;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time at which a muted or skipped test is enabled again; null for never.',
  })
  stateUntil!: Date | null;

  @Field(() => [String], { description: 'Labels of the test.' })
  labels!: string[];

  @Field(() => [String], { description: 'Slugs of the teams that own the test, the first before all.' })
  owners!: string[];

  @Field(() => DateTime, { description: 'Time the test was first uploaded.' })
  createdAt!: Date;
}

export const { Connection: SuiteTestConnection } = connectionOf('SuiteTest', () => SuiteTest);

@Resolver(() => SuiteTest)
export class SuiteTestResolver {
  @FieldResolver(() => SuiteTestMetrics, {
    description: 'Metrics of the test over its stored executions.',
  })
  metrics(@Root() test: SuiteTestRow, @Ctx() context: GraphqlContext): Promise<TestMetrics> {
    return context.load.testMetrics.load(test.id);
  }

  @FieldResolver(() => SuiteTestFlakiness, {
    ...optional,
    description: 'Commits on which the test has both passed and failed; null without any.',
  })
  flakiness(@Root() test: SuiteTestRow): SuiteTestFlakiness | null {
    const { flakySince: since, flakyAt: latestAt, flakyCount: commitsCount, flakyResolvedAt: resolvedAt } = test;
    return latestAt && { since, latestAt, commitsCount, resolvedAt };
  }

  @FieldResolver(() => [Team], { description: 'Teams that own the test, the first before all.' })
  async ownerTeams(
    @Root() test: SuiteTestRow,
    @Ctx() context: GraphqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row<'teams'>[]> {
    const ids = await context.load.ownersOfTest.load(test.id);
    const teams = await Promise.all(ids.map((id) => context.loadReference('read_teams', context.load.team, id, info)));
    return teams.filter((team) => team !== null);
  }

  @FieldResolver(() => Suite, { description: 'Test suite of the test.' })
  suite(@Root() test: SuiteTestRow, @Ctx() context: GraphqlContext) {
    return context.load.suite.load(test.suiteId);
  }

  @FieldResolver(() => String, { description: "URL of the test's page in the console." })
  async url(@Root() test: SuiteTestRow, @Ctx() context: GraphqlContext): Promise<string> {
    const [organization, suite] = await Promise.all([
      context.load.organization.load(test.organizationId),
      context.load.suite.load(test.suiteId),
    ]);
    return webUrls.suiteTest(context.baseUrl, organization?.slug ?? '', suite?.slug ?? '', test.id);
  }
}

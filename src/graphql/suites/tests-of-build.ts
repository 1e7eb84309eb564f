import { Args, Ctx, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { TestMetrics } from '../../domain/suites/results/metrics.js';
import type { ShownBuildRow, SuiteTestRow } from '../../entities/database.js';
import { listBuildTests } from '../../operations/suites/build-tests/list.js';
import { type MeasuredTest, metricsOf } from '../../resources/suites/measured-tests/measured-test.js';
import { Build } from '../builds/build.js';
import { stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../server/options.js';
import { BuildTestsArguments } from './suite-arguments.js';
import { SuiteTest, SuiteTestMetrics } from './suite-test.js';
import { ReadBy } from '../execution/on-the-way.js';

@ObjectType({ description: 'Test that ran in a build.' })
export class BuildTest {}

const { Connection: BuildTestConnection } = connectionOf('BuildTest', () => BuildTest);

@Resolver(() => BuildTest)
export class BuildTestResolver {
  @FieldResolver(() => SuiteTestMetrics, { description: 'Metrics of the test over its executions in the build.' })
  metrics(@Root() test: MeasuredTest): TestMetrics {
    return metricsOf(test);
  }

  @FieldResolver(() => SuiteTest, { description: 'Test that ran.' })
  test(@Root() test: MeasuredTest): SuiteTestRow {
    return test;
  }
}

@Resolver(() => Build)
export class TestsOfBuildResolver {
  @ReadBy(listBuildTests)
  @FieldResolver(() => BuildTestConnection, {
    ...optional,
    description: 'Tests that ran in the build, of the test suites that the viewer may read.',
  })
  async tests(
    @Root() build: ShownBuildRow,
    @Ctx() context: GraphqlContext,
    @Args(() => BuildTestsArguments) args: BuildTestsArguments,
  ) {
    const { branch, flaky, labels, order, owners, sortBy, state, tags } = args;
    const input = { branch, flaky, labels, order, owners, sortBy, state, tags, paging: stretchOf(args) };
    return connectionValue(await context.performInBatch(listBuildTests, { build: { id: build.id } }, input));
  }
}

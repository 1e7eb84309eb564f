import { Arg, Args, Ctx, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { TestMetrics } from '../../domain/suites/results/metrics.js';
import type { SuiteRow, SuiteTestRow } from '../../entities/database.js';
import { findSuiteTest } from '../../operations/suites/suite-tests/find-by-name.js';
import { listSuiteTests } from '../../operations/suites/suite-tests/list.js';
import { usualMetric } from '../../resources/suites/measured-tests/filters.js';
import {
  type MeasuredTest as MeasuredTestRow,
  metricsOf,
} from '../../resources/suites/measured-tests/measured-test.js';
import { stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../server/options.js';
import { MeasuredTestsArguments, SuiteTestsArguments } from './suite-arguments.js';
import { SuiteTest, SuiteTestConnection, SuiteTestMetrics } from './suite-test.js';
import { Suite } from './suite.js';

@ObjectType({ description: 'Test of a test suite that ran, with metrics of those executions that count.' })
export class MeasuredTest {}

const { Connection: MeasuredTestConnection } = connectionOf('MeasuredTest', () => MeasuredTest);

@Resolver(() => MeasuredTest)
class MeasuredTestResolver {
  @FieldResolver(() => SuiteTestMetrics, { description: 'Metrics of the test over the executions that count.' })
  metrics(@Root() test: MeasuredTestRow): TestMetrics {
    return metricsOf(test);
  }

  @FieldResolver(() => SuiteTest, { description: 'Test that ran.' })
  test(@Root() test: MeasuredTestRow): SuiteTestRow {
    return test;
  }
}

@Resolver(() => Suite)
class TestsOfSuiteResolver {
  @FieldResolver(() => SuiteTest, {
    ...optional,
    description: 'Test of the test suite by its scope and name; null when the test is absent.',
  })
  async test(
    @Root() suite: SuiteRow,
    @Ctx() context: GraphqlContext,
    @Arg('name', () => String, { description: 'Name of the test.' }) name: string,
    @Arg('scope', () => String, { defaultValue: '', description: 'Scope of the test.' }) scope: string,
  ) {
    return (await context.findInBatch(findSuiteTest, { suite: { id: suite.id } }, { name, scope }))?.test ?? null;
  }

  @FieldResolver(() => SuiteTestConnection, { ...optional, description: 'Tests of the test suite, newest first.' })
  async tests(
    @Root() suite: SuiteRow,
    @Ctx() context: GraphqlContext,
    @Args(() => SuiteTestsArguments) args: SuiteTestsArguments,
  ) {
    const { flaky, labels, owners, search, state } = args;
    return connectionValue(
      await context.performInBatch(
        listSuiteTests,
        { suite: { id: suite.id } },
        { flaky, labels, owners, search, state, paging: stretchOf(args) },
      ),
    );
  }

  @FieldResolver(() => MeasuredTestConnection, {
    ...optional,
    description: 'Tests of the test suite that ran in a time, with metrics of those executions that count.',
  })
  async measuredTests(
    @Root() suite: SuiteRow,
    @Ctx() context: GraphqlContext,
    @Args(() => MeasuredTestsArguments) args: MeasuredTestsArguments,
  ) {
    const { from: minTimestamp, to: maxTimestamp, branch, flaky, labels, order, owners, search, state, tags } = args;
    const filters = { branch, flaky, labels, order, owners, search, state, tags, minTimestamp, maxTimestamp };
    return connectionValue(
      await context.performInBatch(
        listSuiteTests,
        { suite: { id: suite.id } },
        { ...filters, sortBy: args.sortBy ?? usualMetric, paging: stretchOf(args) },
      ),
    );
  }
}

export const testsOfSuiteResolvers = [TestsOfSuiteResolver, MeasuredTestResolver] as const;

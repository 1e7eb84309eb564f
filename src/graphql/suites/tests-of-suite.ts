import { Arg, Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { SuiteRow } from '../../entities/database.js';
import { findSuiteTest } from '../../operations/suites/suite-tests/find-by-name.js';
import { listSuiteTests } from '../../operations/suites/suite-tests/list.js';
import { stretchOf } from '../connections/arguments.js';
import { connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../server/options.js';
import { SuiteTestsArguments } from './suite-arguments.js';
import { SuiteTest, SuiteTestConnection } from './suite-test.js';
import { Suite } from './suite.js';

@Resolver(() => Suite)
export class TestsOfSuiteResolver {
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

  @FieldResolver(() => SuiteTestConnection, {
    ...optional,
    description:
      'Tests of the test suite, newest first; where executions or an order are asked for, those that ran, by a metric.',
  })
  async tests(
    @Root() suite: SuiteRow,
    @Ctx() context: GraphqlContext,
    @Args(() => SuiteTestsArguments) args: SuiteTestsArguments,
  ) {
    const { branch, flaky, from, labels, order, search, sortBy, state, tags, to } = args;
    const input = { branch, flaky, labels, order, search, sortBy, state, tags, minTimestamp: from, maxTimestamp: to };
    return connectionValue(
      await context.performInBatch(listSuiteTests, { suite: { id: suite.id } }, { ...input, paging: stretchOf(args) }),
    );
  }
}

import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { SuiteRunRow, SuiteTestRow } from '../../entities/database.js';
import { listExecutions } from '../../operations/suites/suite-executions/list.js';
import { stretchOf } from '../connections/arguments.js';
import { connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../server/options.js';
import { SuiteExecutionsArguments } from './suite-arguments.js';
import { SuiteExecutionConnection } from './suite-execution.js';
import { SuiteRun } from './suite-run.js';
import { SuiteTest } from './suite-test.js';

@Resolver(() => SuiteRun)
export class ExecutionsOfRunResolver {
  @FieldResolver(() => SuiteExecutionConnection, {
    ...optional,
    description: 'Executions of the run, in upload order.',
  })
  async executions(
    @Root() run: SuiteRunRow,
    @Ctx() context: GraphqlContext,
    @Args(() => SuiteExecutionsArguments) args: SuiteExecutionsArguments,
  ) {
    return connectionValue(
      await context.performInBatch(
        listExecutions,
        { of: { run: { id: run.id } } },
        { result: args.result, paging: stretchOf(args) },
      ),
    );
  }
}

@Resolver(() => SuiteTest)
export class ExecutionsOfTestResolver {
  @FieldResolver(() => SuiteExecutionConnection, { ...optional, description: 'Executions of the test, newest first.' })
  async executions(
    @Root() test: SuiteTestRow,
    @Ctx() context: GraphqlContext,
    @Args(() => SuiteExecutionsArguments) args: SuiteExecutionsArguments,
  ) {
    return connectionValue(
      await context.performInBatch(
        listExecutions,
        { of: { test: { id: test.id } } },
        { result: args.result, paging: stretchOf(args) },
      ),
    );
  }
}

import { Arg, Args, Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import type { SuiteRow } from '../../entities/database.js';
import { getRun } from '../../operations/suites/suite-runs/get.js';
import { listRuns } from '../../operations/suites/suite-runs/list.js';
import { stretchOf } from '../connections/arguments.js';
import { connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../nodes/ids.js';
import { optional } from '../server/options.js';
import { SuiteRunsArguments } from './suite-arguments.js';
import { SuiteRun, SuiteRunConnection } from './suite-run.js';
import { Suite } from './suite.js';

@Resolver(() => Suite)
export class RunsOfSuiteResolver {
  @FieldResolver(() => SuiteRun, {
    ...optional,
    description: 'Run of the test suite by its GraphQL ID or UUID; null when the run is absent.',
  })
  async run(
    @Root() suite: SuiteRow,
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: 'GraphQL ID or UUID of the run.' }) id: string,
  ) {
    const output = await context.findInBatch(getRun, { run: { id: uuidOf(id, ['Run']) } });
    return output?.run.suiteId === suite.id ? output.run : null;
  }

  @FieldResolver(() => SuiteRunConnection, { ...optional, description: 'Runs of the test suite, newest first.' })
  async runs(
    @Root() suite: SuiteRow,
    @Ctx() context: GraphqlContext,
    @Args(() => SuiteRunsArguments) args: SuiteRunsArguments,
  ) {
    return connectionValue(
      await context.performInBatch(
        listRuns,
        { suite: { id: suite.id } },
        { buildId: args.build, paging: stretchOf(args) },
      ),
    );
  }
}

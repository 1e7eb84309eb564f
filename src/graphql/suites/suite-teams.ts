import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Row } from '../../entities/database.js';
import { listTeamSuites } from '../../operations/organizations/team-suites/list.js';
import { stretchOf } from '../connections/arguments.js';
import { connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../server/options.js';
import { SuiteTeamsArguments } from '../organizations/teams/team-arguments.js';
import { TeamSuiteConnection } from '../organizations/teams/team-suite.js';
import { Suite } from './suite.js';
import { ReadBy } from '../execution/on-the-way.js';

@Resolver(() => Suite)
export class SuiteTeamsResolver {
  @ReadBy(listTeamSuites)
  @FieldResolver(() => TeamSuiteConnection, { ...optional, description: 'Teams with access to the test suite.' })
  async teams(
    @Root() suite: Row<'suites'>,
    @Ctx() context: GraphqlContext,
    @Args(() => SuiteTeamsArguments) args: SuiteTeamsArguments,
  ) {
    const { id, organizationId } = suite;
    return connectionValue(
      await context.performInBatch(
        listTeamSuites,
        { suite: { organizationId, id } },
        { search: args.search, order: args.order ?? undefined, paging: stretchOf(args) },
      ),
    );
  }
}

import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Row } from '../../entities/database.js';
import { listTeamSuites } from '../../operations/team-suites/list.js';
import { stretchOf } from '../connections/arguments.js';
import { connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../options.js';
import { SuiteTeamsArguments } from '../teams/team-arguments.js';
import { TeamSuiteConnection } from '../teams/team-suite.js';
import { Suite } from './suite.js';

@Resolver(() => Suite)
export class SuiteTeamsResolver {
  @FieldResolver(() => TeamSuiteConnection, { ...optional, description: 'Teams with access to it.' })
  async teams(@Root() suite: Row<'suites'>, @Ctx() context: GraphqlContext, @Args(() => SuiteTeamsArguments) given: SuiteTeamsArguments) {
    const { id, organizationId } = suite;
    return connectionValue(await context.perform(listTeamSuites, { suite: { organizationId, id }, search: given.search, order: given.order ?? undefined, paging: stretchOf(given) }));
  }
}

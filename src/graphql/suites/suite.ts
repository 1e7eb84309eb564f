import { Arg, Args, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { SuiteRow } from '../../entities/database.js';
import { getRun } from '../../operations/runs/get.js';
import { listRuns } from '../../operations/runs/list.js';
import { findSuiteTest } from '../../operations/suite-tests/find.js';
import { listSuiteTests } from '../../operations/suite-tests/list.js';
import { getSuite } from '../../operations/suites/get.js';
import { webUrls } from '../../web-urls.js';
import { stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { slugParts, uuidOf } from '../ids.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { Organization } from '../organizations/organization.js';
import { DateTime } from '../scalars/date-time.js';
import { SuiteRunsArguments, SuiteTestsArguments } from './suite-arguments.js';
import { SuiteRun, SuiteRunConnection } from './suite-run.js';
import { SuiteTest, SuiteTestConnection } from './suite-test.js';

@ObjectType({ implements: Node, description: 'Tests whose results are collected run by run.' })
export class Suite {
  @Field(() => String, { name: 'uuid' })
  id!: string;

  @Field(() => String)
  slug!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String, optional)
  applicationName!: string | null;

  @Field(() => String, optional)
  color!: string | null;

  @Field(() => String, optional)
  defaultBranch!: string | null;

  @Field(() => String, optional)
  emoji!: string | null;

  @Field(() => DateTime, optional)
  createdAt!: Date | null;
}

export const { Connection: SuiteConnection, Edge: SuiteEdge } = connectionOf('Suite', () => Suite);

const addressOf = ({ id }: SuiteRow) => ({ suite: { id } });

@Resolver(() => Suite)
export class SuiteResolver {
  @Query(() => Suite, { ...optional, description: 'A test suite by its slug (`organization/suite`).' })
  async suite(@Ctx() context: GraphqlContext, @Arg('slug', () => ID) slug: string): Promise<SuiteRow | null> {
    const [organization, name] = slugParts(slug, 2) ?? [];
    const found = organization && name ? await context.find(getSuite, { suite: { organization, slug: name } }) : null;
    return found?.suite ?? null;
  }

  @FieldResolver(() => Organization)
  organization(@Root() suite: SuiteRow, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(suite.organizationId);
  }

  @FieldResolver(() => SuiteRun, { ...optional, description: 'A run by its id or uuid.' })
  async run(@Root() suite: SuiteRow, @Ctx() context: GraphqlContext, @Arg('id', () => ID) id: string) {
    const found = await context.find(getRun, { run: { id: uuidOf(id, ['Run']) } });
    return found?.run.suiteId === suite.id ? found.run : null;
  }

  @FieldResolver(() => SuiteRunConnection, { ...optional, description: 'Runs, newest first.' })
  async runs(@Root() suite: SuiteRow, @Ctx() context: GraphqlContext, @Args(() => SuiteRunsArguments) given: SuiteRunsArguments) {
    return connectionValue(await context.perform(listRuns, { ...addressOf(suite), buildId: given.build, paging: stretchOf(given) }));
  }

  @FieldResolver(() => SuiteTest, { ...optional, description: 'A test by its scope and name.' })
  async test(@Root() suite: SuiteRow, @Ctx() context: GraphqlContext, @Arg('name', () => String) name: string, @Arg('scope', () => String, { defaultValue: '' }) scope: string) {
    return (await context.find(findSuiteTest, { ...addressOf(suite), name, scope }))?.test ?? null;
  }

  @FieldResolver(() => SuiteTestConnection, { ...optional, description: 'Tests, newest first.' })
  async tests(@Root() suite: SuiteRow, @Ctx() context: GraphqlContext, @Args(() => SuiteTestsArguments) given: SuiteTestsArguments) {
    const { labels, search, state } = given;
    return connectionValue(await context.perform(listSuiteTests, { ...addressOf(suite), labels, search, state, paging: stretchOf(given) }));
  }

  @FieldResolver(() => String, { description: 'Its page.' })
  async url(@Root() suite: SuiteRow, @Ctx() context: GraphqlContext): Promise<string> {
    const organization = await context.load.organization.load(suite.organizationId);
    return webUrls.suite(context.baseUrl, organization?.slug ?? '', suite.slug);
  }
}

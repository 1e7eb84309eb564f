import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, FieldResolver, ID, Info, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { SuiteRow } from '../../entities/database.js';
import { getSuite } from '../../operations/suites/get.js';
import { webUrls } from '../../services/web-urls.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { slugParts } from '../nodes/ids.js';
import { Node } from '../nodes/node.js';
import { optional } from '../server/options.js';
import { Organization } from '../organizations/organization.js';
import { DateTime } from '../scalars/date-time.js';

@ObjectType({ implements: Node, description: 'Test suite, whose results are collected run by run.' })
export class Suite {
  @Field(() => String, { name: 'uuid', description: 'UUID of the test suite; `id` in the REST API.' })
  id!: string;

  @Field(() => String, { description: 'Slug of the test suite, unique within its organization.' })
  slug!: string;

  @Field(() => String, { description: 'Name of the test suite.' })
  name!: string;

  @Field(() => String, { ...optional, description: 'Name of the tested application; null without one.' })
  applicationName!: string | null;

  @Field(() => String, {
    ...optional,
    description: "Color of the test suite's icon in hexadecimal, such as `#14CC80`; null without one.",
  })
  color!: string | null;

  @Field(() => String, { ...optional, description: 'Default branch of the test suite; stored only.' })
  defaultBranch!: string | null;

  @Field(() => String, { ...optional, description: 'Emoji of the test suite, such as `:rocket:`; null without one.' })
  emoji!: string | null;

  @Field(() => DateTime, { ...optional, description: 'Time the test suite was created.' })
  createdAt!: Date | null;
}

export const { Connection: SuiteConnection, Edge: SuiteEdge } = connectionOf('Suite', () => Suite);

@Resolver(() => Suite)
export class SuiteResolver {
  @Query(() => Suite, {
    ...optional,
    description: 'Returns a test suite by its slug; null when the suite is absent or hidden.',
  })
  async suite(
    @Ctx() context: GraphqlContext,
    @Arg('slug', () => ID, { description: 'Slug of the test suite: `organization/suite`.' }) slug: string,
    @Info() info: GraphQLResolveInfo,
  ): Promise<SuiteRow | null> {
    const [organization, name] = slugParts(slug, 2) ?? [];
    const output =
      organization && name ? await context.reach(getSuite, { suite: { organization, slug: name } }, info) : null;
    return output?.suite ?? null;
  }

  @FieldResolver(() => Organization, { description: 'Organization of the test suite.' })
  organization(@Root() suite: SuiteRow, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(suite.organizationId);
  }

  @FieldResolver(() => String, { description: "URL of the test suite's page in the console." })
  async url(@Root() suite: SuiteRow, @Ctx() context: GraphqlContext): Promise<string> {
    const organization = await context.load.organization.load(suite.organizationId);
    return webUrls.suite(context.baseUrl, organization?.slug ?? '', suite.slug);
  }
}

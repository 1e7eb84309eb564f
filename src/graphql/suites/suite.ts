import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { Row } from '../../entities/database.js';
import { webUrls } from '../../web-urls.js';
import type { GraphqlContext } from '../context.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { Organization } from '../organizations/organization.js';
import { DateTime } from '../scalars/date-time.js';

@ObjectType({ implements: Node, description: 'Tests whose results are collected together.' })
export class Suite {
  @Field(() => String, { name: 'uuid' })
  id!: string;

  @Field(() => String)
  slug!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String, optional)
  defaultBranch!: string;

  @Field(() => DateTime, optional)
  createdAt!: Date;
}

@Resolver(() => Suite)
export class SuiteResolver {
  @FieldResolver(() => Organization)
  organization(@Root() suite: Row<'suites'>, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(suite.organizationId);
  }

  @FieldResolver(() => String, { description: 'Its page.' })
  async url(@Root() suite: Row<'suites'>, @Ctx() context: GraphqlContext): Promise<string> {
    const organization = await context.load.organization.load(suite.organizationId);
    return webUrls.suite(context.baseUrl, organization?.slug ?? '', suite.slug);
  }
}

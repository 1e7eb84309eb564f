import { Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { OrganizationRow } from '../../entities/database.js';
import { getRateLimits } from '../../operations/organizations/get-rate-limits.js';
import type { GraphqlContext } from '../context.js';
import { Organization } from '../organizations/organization.js';
import { optional } from '../server/options.js';
import { ReadBy } from '../execution/on-the-way.js';

@ObjectType({ description: 'A limit of the calls to an API within a window of time.' })
export class RateLimit {
  @Field(() => String, { description: 'API: `rest` counts requests, `graphql` points of complexity.' })
  api!: string;

  @Field(() => String, { description: 'Callers who share the limit: the `organization`, or the `user` alone.' })
  sharedBy!: string;

  @Field(() => Int, { ...optional, description: 'Requests or points of a window; null without a limit.' })
  limit!: number | null;

  @Field(() => Int, { description: 'Seconds of a window.' })
  windowSeconds!: number;

  @Field(() => Int, {
    ...optional,
    description:
      'Requests of this window so far, to a hundredth of the limit, or points that the replica which answers ' +
      'has counted in it; null without a limit.',
  })
  used!: number | null;
}

@Resolver(() => Organization)
export class OrganizationRateLimitsResolver {
  @ReadBy(getRateLimits)
  @FieldResolver(() => [RateLimit], { description: 'Rate limits of the organization and of the viewer.' })
  async rateLimits(@Root() organization: OrganizationRow, @Ctx() context: GraphqlContext): Promise<RateLimit[]> {
    return (await context.performInBatch(getRateLimits, { organization: { id: organization.id } })).limits;
  }
}

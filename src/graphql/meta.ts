import { Ctx, Field, ObjectType, Query, Resolver } from 'type-graphql';
import { getMeta } from '../operations/installation/meta/get.js';
import type { GraphqlContext } from './context.js';

@ObjectType({ description: 'Information about this installation.' })
export class Meta {
  @Field(() => [String], { description: 'IP addresses and networks that outgoing webhooks come from.' })
  webhookIps!: readonly string[];
}

@Resolver()
export class MetaResolver {
  @Query(() => Meta, { description: 'Returns information about this installation.' })
  meta(@Ctx() context: GraphqlContext) {
    return context.perform(getMeta, {});
  }
}

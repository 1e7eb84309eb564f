import { Ctx, Field, ObjectType, Query, Resolver } from 'type-graphql';
import { getMeta } from '../operations/meta/get.js';
import type { GraphqlContext } from './context.js';

@ObjectType({ description: 'The service itself.' })
export class Meta {
  @Field(() => [String], { description: 'Addresses and networks that deliveries of webhooks come from.' })
  webhookIps!: readonly string[];
}

@Resolver()
export class MetaResolver {
  @Query(() => Meta, { description: 'The service itself.' })
  meta(@Ctx() context: GraphqlContext) {
    return context.perform(getMeta, {});
  }
}

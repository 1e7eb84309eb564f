import { Ctx, Field, FieldResolver, ObjectType, Query, Resolver } from 'type-graphql';
import { notificationEvents } from '../domain/integrations/notification-events.js';
import { notifiedStates } from '../domain/integrations/notified-states.js';
import { getMeta } from '../operations/installation/meta/get.js';
import type { GraphqlContext } from './context.js';

@ObjectType({ description: 'Information about this installation.' })
export class Meta {
  @Field(() => [String], { description: 'IP addresses and networks that outgoing webhooks come from.' })
  webhookIps!: readonly string[];
}

@Resolver(() => Meta)
export class MetaResolver {
  @FieldResolver(() => [String], { description: 'Names of the events that a notification service can be sent.' })
  notificationEvents(): readonly string[] {
    return notificationEvents;
  }

  @FieldResolver(() => [String], { description: 'Outcomes that a notification service can be told of or not.' })
  notificationStates(): readonly string[] {
    return notifiedStates;
  }

  @Query(() => Meta, { description: 'Returns information about this installation.' })
  meta(@Ctx() context: GraphqlContext) {
    return context.perform(getMeta, {});
  }
}

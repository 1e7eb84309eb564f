import { Arg, Args, Ctx, Field, FieldResolver, ID, InterfaceType, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import type { NotificationServiceRow, OrganizationRow } from '../../entities/database.js';
import { getNotificationDelivery } from '../../operations/notification-deliveries/get.js';
import { listNotificationDeliveries } from '../../operations/notification-deliveries/list.js';
import { serviceKind } from '../../operations/notification-services/find-service.js';
import { getNotificationService } from '../../operations/notification-services/get.js';
import { listNotificationServices } from '../../operations/notification-services/list.js';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { Organization } from '../organizations/organization.js';
import { User } from '../organizations/user.js';
import { DateTime } from '../scalars/date-time.js';
import { NotificationDelivery, NotificationDeliveryConnection } from './notification-delivery.js';

@InterfaceType({ description: 'Something that is told of events.', resolveType: () => 'NotificationServiceWebhook' })
export abstract class NotificationService {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  description!: string;

  @Field(() => String, { description: 'The name of the kind of service.' })
  name!: string;
}

@ObjectType({ implements: [Node, NotificationService], description: 'An outgoing webhook: a URL that is told of events.' })
export class NotificationServiceWebhook {
  @Field(() => ID, { name: 'uuid' })
  uuid!: string;

  @Field(() => String)
  description!: string;

  @Field(() => String)
  name!: string;

  @Field(() => Boolean)
  enabled!: boolean;

  @Field(() => String, { description: 'What it is told of: `all`, `some_projects`, `some_teams` or `some_clusters`.' })
  scope!: string;

  @Field(() => [ID], { description: 'The pipelines, teams or clusters it is confined to, as `scope` says.' })
  scopeUuids!: string[];

  @Field(() => String, { description: 'A branch filter pattern; empty for every branch.' })
  branchConfiguration!: string;

  @Field(() => String, { description: 'Where events are sent.' })
  url!: string;

  @Field(() => String, { description: 'How it proves who sends: `token` or `signature`.' })
  tokenMode!: string;

  @Field(() => Boolean, { description: 'Whether there is a token; it is never shown.' })
  tokenSet!: boolean;

  @Field(() => [String], { description: 'The events it is told of, such as `build.finished`.' })
  events!: string[];

  @Field(() => Boolean, { description: 'Whether the certificate of the receiver is checked.' })
  tlsVerify!: boolean;

  @Field(() => DateTime)
  createdAt!: Date;
}

export const { Connection: NotificationServiceConnection } = connectionOf('NotificationService', () => NotificationServiceWebhook);

@Resolver(() => NotificationServiceWebhook)
export class NotificationServiceResolver {
  @FieldResolver(() => ID)
  id(@Root() service: NotificationServiceRow): string {
    return encodeNodeId(serviceKind, service.id);
  }

  @FieldResolver(() => ID)
  uuid(@Root() service: NotificationServiceRow): string {
    return service.id;
  }

  @FieldResolver(() => String)
  name(): string {
    return 'Webhook';
  }

  @FieldResolver(() => [ID])
  scopeUuids(@Root() service: NotificationServiceRow): string[] {
    return service.scopeIds;
  }

  @FieldResolver(() => String)
  branchConfiguration(@Root() service: NotificationServiceRow): string {
    return service.branchConfiguration ?? '';
  }

  @FieldResolver(() => Boolean)
  tokenSet(@Root() service: NotificationServiceRow): boolean {
    return service.sealedToken !== null;
  }

  @FieldResolver(() => User, optional)
  createdBy(@Root() service: NotificationServiceRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, service.createdById);
  }

  @FieldResolver(() => NotificationDeliveryConnection, { ...optional, description: 'What it was sent and will be, newest first.' })
  async deliveries(@Root() service: NotificationServiceRow, @Ctx() context: GraphqlContext, @Args(() => PageArguments) given: PageArguments) {
    return connectionValue(await context.perform(listNotificationDeliveries, { service: { id: service.id }, paging: stretchOf(given) }));
  }

  @FieldResolver(() => NotificationDelivery, { ...optional, description: 'One delivery by its uuid.' })
  async delivery(@Root() service: NotificationServiceRow, @Ctx() context: GraphqlContext, @Arg('uuid', () => ID) uuid: string) {
    return (await context.find(getNotificationDelivery, { service: { id: service.id }, id: uuid }))?.delivery ?? null;
  }
}

@Resolver()
export class NotificationServiceQueryResolver {
  @Query(() => NotificationService, { ...optional, description: 'An outgoing webhook by its uuid.' })
  async notificationService(@Ctx() context: GraphqlContext, @Arg('uuid', () => ID) uuid: string) {
    return (await context.find(getNotificationService, { service: { id: uuid } }))?.service ?? null;
  }
}

@Resolver(() => Organization)
export class OrganizationNotificationServicesResolver {
  @FieldResolver(() => NotificationServiceConnection, { ...optional, description: 'Outgoing webhooks, oldest first; only for administrators.' })
  async notificationServices(@Root() organization: OrganizationRow, @Ctx() context: GraphqlContext, @Args(() => PageArguments) given: PageArguments) {
    return connectionValue(await context.perform(listNotificationServices, { organization: { id: organization.id }, paging: stretchOf(given) }));
  }
}

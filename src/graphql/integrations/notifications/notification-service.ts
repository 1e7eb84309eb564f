import {
  Arg,
  Args,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InterfaceType,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { notifiedStates } from '../../../domain/integrations/notified-states.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { NotificationServiceRow, OrganizationRow } from '../../../entities/database.js';
import { getNotificationDelivery } from '../../../operations/integrations/notification-deliveries/get.js';
import { listNotificationDeliveries } from '../../../operations/integrations/notification-deliveries/list.js';
import { serviceKinds } from '../../../resources/integrations/notification-services/find-service.js';
import { getNotificationService } from '../../../operations/integrations/notification-services/get.js';
import { listNotificationServices } from '../../../operations/integrations/notification-services/list.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { connectionOf, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { Node } from '../../nodes/node.js';
import { optional } from '../../server/options.js';
import { Organization } from '../../organizations/organization.js';
import { User } from '../../organizations/user.js';
import { DateTime } from '../../scalars/date-time.js';
import { NotificationDelivery, NotificationDeliveryConnection } from './notification-delivery.js';
import { ReadBy } from '../../execution/on-the-way.js';

@InterfaceType({
  description: 'A service that receives events of an organization.',
  resolveType: () => 'NotificationServiceWebhook',
})
export abstract class NotificationService {
  @Field(() => ID, { description: 'GraphQL ID of the service.' })
  id!: string;

  @Field(() => String, { description: 'Description of the service.' })
  description!: string;

  @Field(() => String, { description: 'Name of the type of service, such as `Webhook`.' })
  name!: string;
}

@ObjectType({
  implements: [Node, NotificationService],
  description: 'An outgoing webhook: a URL to which events are sent.',
})
export class NotificationServiceWebhook {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the webhook, its `id` in the REST API.' })
  uuid!: string;

  @Field(() => String, { description: 'Description of the webhook.' })
  description!: string;

  @Field(() => String, { description: 'Name of the type of service: always `Webhook`.' })
  name!: string;

  @Field(() => Boolean, { description: 'Whether events are sent.' })
  enabled!: boolean;

  @Field(() => String, {
    description: 'Pipelines whose events are sent: `all`, `some_projects`, `some_teams` or `some_clusters`.',
  })
  scope!: string;

  @Field(() => [ID], { description: 'UUIDs of the pipelines, teams or clusters that `scope` selects.' })
  scopeUuids!: string[];

  @Field(() => String, { description: 'Branch filter pattern; empty for every branch.' })
  branchConfiguration!: string;

  @Field(() => String, { description: 'URL to which events are sent.' })
  url!: string;

  @Field(() => String, {
    description: 'Use of the token: `token` sends it in a header, `signature` signs the request with it.',
  })
  tokenMode!: string;

  @Field(() => Boolean, { description: 'Whether a token is set; it is never shown.' })
  tokenSet!: boolean;

  @Field(() => [String], { description: 'Names of the events that are sent, such as `build.finished`.' })
  events!: string[];

  @Field(() => [String], {
    description: 'Outcomes that are notified of, such as `build_failed`: the keys of `build_states` in the REST API.',
  })
  buildStates!: string[];

  @Field(() => Boolean, { description: 'Whether the TLS certificate of the receiver is verified.' })
  tlsVerify!: boolean;

  @Field(() => DateTime, { description: 'Time the webhook was created.' })
  createdAt!: Date;
}

export const { Connection: NotificationServiceConnection } = connectionOf(
  'NotificationService',
  () => NotificationServiceWebhook,
);

@Resolver(() => NotificationServiceWebhook)
export class NotificationServiceResolver {
  @FieldResolver(() => ID, { description: 'GraphQL ID of the webhook.' })
  id(@Root() service: NotificationServiceRow): string {
    return encodeNodeId(serviceKinds[service.provider], service.id);
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

  @FieldResolver(() => [String])
  buildStates(@Root() service: NotificationServiceRow): string[] {
    return notifiedStates.filter((state) => !service.withheldStates.includes(state));
  }

  @FieldResolver(() => Boolean)
  tokenSet(@Root() service: NotificationServiceRow): boolean {
    return service.sealedToken !== null;
  }

  @FieldResolver(() => User, { ...optional, description: 'User who created the webhook; null if no user did.' })
  createdBy(@Root() service: NotificationServiceRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, service.createdById);
  }

  @FieldResolver(() => NotificationDeliveryConnection, {
    ...optional,
    description: 'Deliveries of the webhook, newest first.',
  })
  async deliveries(
    @Root() service: NotificationServiceRow,
    @Ctx() context: GraphqlContext,
    @Args(() => PageArguments) args: PageArguments,
  ) {
    return connectionValue(
      await context.performInBatch(
        listNotificationDeliveries,
        { service: { id: service.id } },
        { paging: stretchOf(args) },
      ),
    );
  }

  @FieldResolver(() => NotificationDelivery, { ...optional, description: 'A delivery by its UUID; null if absent.' })
  async delivery(
    @Root() service: NotificationServiceRow,
    @Ctx() context: GraphqlContext,
    @Arg('uuid', () => ID, { description: 'UUID of the delivery.' }) uuid: string,
  ) {
    return (
      (await context.findInBatch(getNotificationDelivery, { service: { id: service.id } }, { id: uuid }))?.delivery ??
      null
    );
  }
}

@Resolver()
export class NotificationServiceQueryResolver {
  @Query(() => NotificationService, {
    ...optional,
    description: 'An outgoing webhook by its UUID; null if absent or hidden.',
  })
  async notificationService(
    @Ctx() context: GraphqlContext,
    @Arg('uuid', () => ID, { description: 'UUID of the outgoing webhook.' }) uuid: string,
  ) {
    return (await context.find(getNotificationService, { service: { id: uuid } }))?.service ?? null;
  }
}

@Resolver(() => Organization)
export class OrganizationNotificationServicesResolver {
  @ReadBy(listNotificationServices)
  @FieldResolver(() => NotificationServiceConnection, {
    ...optional,
    description: 'Outgoing webhooks, oldest first, for administrators.',
  })
  async notificationServices(
    @Root() organization: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Args(() => PageArguments) args: PageArguments,
  ) {
    return connectionValue(
      await context.performInBatch(
        listNotificationServices,
        { organization: { id: organization.id } },
        { paging: stretchOf(args) },
      ),
    );
  }
}

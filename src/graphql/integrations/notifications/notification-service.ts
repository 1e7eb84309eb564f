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
import { eventsOfService } from '../../../domain/integrations/service-events.js';
import { providerNames, type ServiceProvider } from '../../../domain/integrations/service-providers.js';
import { shownSettings } from '../../../resources/integrations/notification-services/service-settings.js';
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
import { JsonText } from '../../scalars/json.js';
import {
  NotificationDelivery,
  NotificationDeliveryConnection,
  NotificationDeliveryResolver,
} from './notification-delivery.js';
import { ReadBy } from '../../execution/on-the-way.js';

@InterfaceType({
  description: 'A service that receives events of an organization.',
  resolveType: ({ provider }: NotificationServiceRow) => serviceKinds[provider],
})
export abstract class NotificationService {
  @Field(() => ID, { description: 'GraphQL ID of the service.' })
  id!: string;

  @Field(() => ID, { name: 'uuid', description: 'UUID of the service, its `id` in the REST API.' })
  uuid!: string;

  @Field(() => String, { description: 'Description of the service.' })
  description!: string;

  @Field(() => String, { description: 'Name of the type of service, such as `Webhook`.' })
  name!: string;

  @Field(() => String, { description: 'Provider, such as `webhook` or `slack`: `provider.id` in the REST API.' })
  provider!: string;

  @Field(() => Boolean, { description: 'Whether events are sent.' })
  enabled!: boolean;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time the service was disabled because its deliveries had failed for too long; null otherwise.',
  })
  brokenAt!: Date | null;

  @Field(() => String, {
    description: 'Pipelines whose events are sent: `all`, `some_projects`, `some_teams` or `some_clusters`.',
  })
  scope!: string;

  @Field(() => [ID], { description: 'UUIDs of the pipelines, teams or clusters that `scope` selects.' })
  scopeUuids!: string[];

  @Field(() => String, { description: 'Branch filter pattern; empty for every branch.' })
  branchConfiguration!: string;

  @Field(() => String, { description: 'URL to which events are sent; empty for services other than webhooks.' })
  url!: string;

  @Field(() => String, {
    description: 'Use of the token of a webhook: `token` sends it in a header, `signature` signs the request with it.',
  })
  tokenMode!: string;

  @Field(() => Boolean, { description: 'Whether a webhook has a token; it is never shown.' })
  tokenSet!: boolean;

  @Field(() => [String], { description: 'Names of the events that the service gets, such as `build.finished`.' })
  events!: string[];

  @Field(() => [String], {
    description: 'Outcomes that are notified of, such as `build_failed`: the keys of `build_states` in the REST API.',
  })
  buildStates!: string[];

  @Field(() => Boolean, { description: 'Whether the TLS certificate of the receiver of a webhook is verified.' })
  tlsVerify!: boolean;

  @Field(() => DateTime, { description: 'Time the service was created.' })
  createdAt!: Date;
}

/** Declares the type of the services of a provider. */
function serviceType(provider: ServiceProvider, description: string) {
  @ObjectType(serviceKinds[provider], { implements: [Node, NotificationService], description })
  class Service {}
  return Service;
}

export const NotificationServiceWebhook = serviceType(
  'webhook',
  'An outgoing webhook: a URL to which events are sent.',
);
export const NotificationServiceSlack = serviceType(
  'slack',
  'An incoming webhook of Slack, or of a server that is compatible with it.',
);
export const NotificationServiceSlackWorkspace = serviceType(
  'slack_workspace',
  'A workspace of Slack, to whose channels `notify` of pipelines posts.',
);
export const NotificationServiceAwsEventBridge = serviceType('aws_event_bridge', 'An event bus of Amazon EventBridge.');
export const NotificationServiceDatadogPipelineVisibility = serviceType(
  'datadog_pipeline_visibility',
  "Datadog's CI Visibility.",
);
export const NotificationServiceOpenTelemetryTracing = serviceType(
  'open_telemetry_tracing',
  'A collector of OpenTelemetry, to which spans of builds are sent.',
);
export const NotificationServiceEventLogApi = serviceType(
  'event_log_api',
  'A log of events, which is read as the deliveries of the service.',
);

/** Every type of a service; each is in the schema through them. */
export const notificationServiceTypes = [
  NotificationServiceWebhook,
  NotificationServiceSlack,
  NotificationServiceSlackWorkspace,
  NotificationServiceAwsEventBridge,
  NotificationServiceDatadogPipelineVisibility,
  NotificationServiceOpenTelemetryTracing,
  NotificationServiceEventLogApi,
] as const;

export const { Connection: NotificationServiceConnection } = connectionOf(
  'NotificationService',
  () => NotificationService,
);

@Resolver(() => NotificationService)
class NotificationServiceResolver {
  @FieldResolver(() => ID)
  id(@Root() service: NotificationServiceRow): string {
    return encodeNodeId(serviceKinds[service.provider], service.id);
  }

  @FieldResolver(() => ID)
  uuid(@Root() service: NotificationServiceRow): string {
    return service.id;
  }

  @FieldResolver(() => String)
  name(@Root() { provider }: NotificationServiceRow): string {
    return providerNames[provider];
  }

  @FieldResolver(() => [String])
  events(@Root() service: NotificationServiceRow): readonly string[] {
    return eventsOfService(service);
  }

  @FieldResolver(() => JsonText, {
    ...optional,
    description: 'Settings of the provider as in the REST API; secrets are masked or left out.',
  })
  settings(@Root() service: NotificationServiceRow, @Ctx() context: GraphqlContext): unknown {
    return shownSettings(context.services, service);
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

  @FieldResolver(() => User, { ...optional, description: 'User who created the service; null if no user did.' })
  createdBy(@Root() service: NotificationServiceRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, service.createdById);
  }

  @FieldResolver(() => NotificationDeliveryConnection, {
    ...optional,
    description: 'Deliveries of the service, newest first.',
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
class NotificationServiceQueryResolver {
  @Query(() => NotificationService, {
    ...optional,
    description: 'A notification service by its UUID; null if absent or hidden.',
  })
  async notificationService(
    @Ctx() context: GraphqlContext,
    @Arg('uuid', () => ID, { description: 'UUID of the notification service.' }) uuid: string,
  ) {
    return (await context.find(getNotificationService, { service: { id: uuid } }))?.service ?? null;
  }
}

@Resolver(() => Organization)
class OrganizationNotificationServicesResolver {
  @ReadBy(listNotificationServices)
  @FieldResolver(() => NotificationServiceConnection, {
    ...optional,
    description: 'Notification services, oldest first, for administrators.',
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

/** Resolvers of notification services and their deliveries. */
export const notificationServiceResolvers = [
  NotificationDeliveryResolver,
  NotificationServiceResolver,
  NotificationServiceQueryResolver,
  OrganizationNotificationServicesResolver,
] as const;

import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { redeliverNotification } from '../../../operations/integrations/notification-deliveries/redeliver.js';
import { createNotificationService } from '../../../operations/integrations/notification-services/create.js';
import { deleteNotificationService } from '../../../operations/integrations/notification-services/delete.js';
import { disableNotificationService } from '../../../operations/integrations/notification-services/disable.js';
import { enableNotificationService } from '../../../operations/integrations/notification-services/enable.js';
import { allServiceKinds } from '../../../resources/integrations/notification-services/find-service.js';
import { pingNotificationService } from '../../../operations/integrations/notification-services/ping.js';
import { updateNotificationService } from '../../../operations/integrations/notification-services/update.js';
import { isNotifiedState, notifiedStates } from '../../../domain/integrations/notified-states.js';
import { invalidField } from '../../../domain/problem.js';
import type { GraphqlContext } from '../../context.js';
import { uuidOf } from '../../nodes/ids.js';
import { IdInput, MutationInput, MutationPayload, payload } from '../../mutation-input.js';
import { JsonText } from '../../scalars/json.js';
import { optional } from '../../server/options.js';
import { Organization } from '../../organizations/organization.js';
import { NotificationDelivery } from './notification-delivery.js';
import { NotificationService } from './notification-service.js';

@InputType({ description: 'Receiver of a notification service and the events that it gets.' })
class NotificationServiceSettingsInput {
  @Field(() => String, { ...optional, description: 'HTTP or HTTPS URL of the receiver. Webhook, Slack.' })
  url?: string | null;

  @Field(() => String, {
    ...optional,
    description: 'Token that authenticates the sender; null removes it. Webhook; bot token of a Slack workspace.',
  })
  token?: string | null;

  @Field(() => String, {
    ...optional,
    description: 'Use of the token: `token` sends it in a header, `signature` signs the request with it.',
  })
  tokenMode?: string | null;

  @Field(() => [String], {
    ...optional,
    description: 'Names of the events to send, such as `build.finished`; all events if absent.',
  })
  events?: string[] | null;

  @Field(() => Boolean, { ...optional, description: 'Whether the TLS certificate of the receiver is verified.' })
  tlsVerify?: boolean | null;

  @Field(() => String, { ...optional, description: 'Whether messages begin with an emoji: `text` or `emoji`. Slack.' })
  theme?: string | null;

  @Field(() => String, { ...optional, description: 'Name of the workspace. Slack workspace.' })
  workspace?: string | null;

  @Field(() => String, { ...optional, description: 'Region of the event bus. Amazon EventBridge.' })
  awsRegion?: string | null;

  @Field(() => String, { ...optional, description: 'Account of the event bus, 12 digits. Amazon EventBridge.' })
  awsAccountId?: string | null;

  @Field(() => String, { ...optional, description: 'Name of the event bus. Amazon EventBridge.' })
  eventBusName?: string | null;

  @Field(() => Boolean, {
    ...optional,
    description: 'Whether events have the meta-data of builds. Amazon EventBridge.',
  })
  includeBuildMetaData?: boolean | null;

  @Field(() => String, { ...optional, description: 'API key. Datadog.' })
  apiKey?: string | null;

  @Field(() => String, { ...optional, description: 'Site, such as `datadoghq.eu`. Datadog.' })
  datadogSite?: string | null;

  @Field(() => String, { ...optional, description: 'Tags, a line of `key:value` each. Datadog.' })
  datadogTags?: string | null;

  @Field(() => String, { ...optional, description: 'Base URL of the collector. OpenTelemetry.' })
  endpoint?: string | null;

  @Field(() => String, { ...optional, description: '`service.name` of the spans. OpenTelemetry.' })
  serviceName?: string | null;

  @Field(() => JsonText, { ...optional, description: 'Headers of requests: a map of texts. OpenTelemetry.' })
  headers?: unknown;

  @Field(() => JsonText, { ...optional, description: 'Attributes of the resource: a map of texts. OpenTelemetry.' })
  resourceAttributes?: unknown;

  @Field(() => JsonText, { ...optional, description: 'Members of `tracestate`: a map of texts. OpenTelemetry.' })
  tracestate?: unknown;
}

/** Fields that creating and updating a notification service share. */
@InputType('NotificationServiceFieldsInput')
abstract class NotificationServiceFieldsInput extends MutationInput {
  @Field(() => String, {
    ...optional,
    description: 'Pipelines whose events are sent: `all`, `some_projects`, `some_teams` or `some_clusters`.',
  })
  scope?: string | null;

  @Field(() => [ID], { ...optional, description: 'UUIDs of the pipelines, teams or clusters that `scope` selects.' })
  scopeUuids?: string[] | null;

  @Field(() => String, { ...optional, description: 'Branch filter pattern; empty or null for every branch.' })
  branchConfiguration?: string | null;

  @Field(() => [String], {
    ...optional,
    description:
      'Outcomes to notify of, such as `build_failed`; all of them for a new service, and unchanged for ' +
      'another, if absent.',
  })
  buildStates?: string[] | null;
}

@InputType({ description: 'Fields of a new notification service.' })
class NotificationServiceCreateInput extends NotificationServiceFieldsInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationId!: string;

  @Field(() => String, { ...optional, description: 'Provider, such as `slack`; `webhook` if absent.' })
  provider?: string | null;

  @Field(() => String, { description: 'Description of the service.' })
  description!: string;

  @Field(() => Boolean, { ...optional, description: 'Whether events are sent; true if absent.' })
  enabled?: boolean | null;

  @Field(() => NotificationServiceSettingsInput, { description: 'Receiver and events of the service.' })
  settings!: NotificationServiceSettingsInput;
}

@InputType({ description: 'Notification service to update; absent fields stay unchanged.' })
class NotificationServiceUpdateInput extends NotificationServiceFieldsInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the notification service.' })
  id!: string;

  @Field(() => String, { ...optional, description: 'Description of the service.' })
  description?: string | null;

  @Field(() => NotificationServiceSettingsInput, {
    ...optional,
    description: 'Receiver and events of the service; absent fields stay unchanged.',
  })
  settings?: NotificationServiceSettingsInput | null;
}

@InputType({ description: 'Notification service to delete.' })
class NotificationServiceDeleteInput extends IdInput {}

@InputType({ description: 'Notification service to enable.' })
class NotificationServiceEnableInput extends IdInput {}

@InputType({ description: 'Notification service to disable.' })
class NotificationServiceDisableInput extends IdInput {}

@InputType({ description: 'Notification service to send a ping to.' })
class NotificationServicePingInput extends IdInput {}

@InputType({ description: 'Delivery to repeat.' })
class NotificationDeliveryRedeliverInput extends IdInput {
  @Field(() => ID, { description: 'UUID of the delivery; `id` is that of its notification service.' })
  deliveryUuid!: string;
}

/** Declares a payload that holds the service. */
function servicePayload(name: string) {
  @ObjectType(name, { description: 'The notification service after the mutation.' })
  class ServicePayload extends MutationPayload {
    @Field(() => NotificationService, { description: 'The notification service after the mutation.' })
    notificationService!: unknown;
  }
  return ServicePayload;
}

const NotificationServiceCreatePayload = servicePayload('NotificationServiceCreatePayload');
const NotificationServiceUpdatePayload = servicePayload('NotificationServiceUpdatePayload');
const NotificationServiceEnablePayload = servicePayload('NotificationServiceEnablePayload');
const NotificationServiceDisablePayload = servicePayload('NotificationServiceDisablePayload');
const NotificationServicePingPayload = servicePayload('NotificationServicePingPayload');

@ObjectType({ description: 'The deleted notification service and its organization.' })
class NotificationServiceDeletePayload extends MutationPayload {
  @Field(() => ID, { description: 'ID of the deleted service as given in the input.' })
  deletedNotificationServiceId!: string;

  @Field(() => Organization, { description: 'Organization of the deleted service.' })
  organization!: unknown;
}

@ObjectType({ description: 'The new delivery.' })
class NotificationDeliveryRedeliverPayload extends MutationPayload {
  @Field(() => NotificationDelivery, { description: 'The new delivery.' })
  notificationDelivery!: unknown;
}

const addressOf = (id: string) => ({ service: { id: uuidOf(id, allServiceKinds) } });

/** Returns settings under their REST names, which the operation uses; null counts as absent, except for the token. */
function settingsOf({ token, ...others }: NotificationServiceSettingsInput) {
  const named = Object.entries(others).map(([name, value]: [string, unknown]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value ?? undefined,
  ]);
  return { token, ...(Object.fromEntries(named) as Record<string, unknown>) };
}

/** Returns the named outcomes as the operation takes them: those not named are false. */
function buildStatesOf(names: readonly string[] | null | undefined) {
  if (!names) return undefined;
  const unknown = names.find((name) => !isNotifiedState(name));
  if (unknown !== undefined) throw invalidField('buildStates', `must be one of ${notifiedStates.join(', ')}`);
  return Object.fromEntries(notifiedStates.map((state) => [state, names.includes(state)]));
}

@Resolver()
export class NotificationMutations {
  @Mutation(() => NotificationServiceCreatePayload, {
    ...optional,
    description: 'Creates a notification service; a webhook is sent a ping.',
  })
  async notificationServiceCreate(
    @Arg('input', () => NotificationServiceCreateInput, { description: 'Fields of the new notification service.' })
    input: NotificationServiceCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { organizationId, description, enabled, scope, scopeUuids, branchConfiguration, buildStates, settings } =
      input;
    const fields = {
      provider: input.provider ?? undefined,
      description,
      enabled,
      scope,
      scopeUuids,
      branchConfiguration,
      buildStates: buildStatesOf(buildStates),
      settings: settingsOf(settings),
    };
    const { service } = await context.command(createNotificationService, {
      ...fields,
      organization: { id: uuidOf(organizationId, ['Organization']) },
    });
    return payload(input, { notificationService: service });
  }

  @Mutation(() => NotificationServiceUpdatePayload, { ...optional, description: 'Updates a notification service.' })
  async notificationServiceUpdate(
    @Arg('input', () => NotificationServiceUpdateInput, {
      description: 'Notification service to update, with its new fields.',
    })
    input: NotificationServiceUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { description, scope, scopeUuids, branchConfiguration, buildStates, settings } = input;
    const fields = {
      description: description ?? undefined,
      scope: scope ?? undefined,
      scopeUuids: scopeUuids ?? undefined,
      branchConfiguration,
      buildStates: buildStatesOf(buildStates),
      settings: settings ? settingsOf(settings) : undefined,
    };
    const { service } = await context.command(updateNotificationService, { ...fields, ...addressOf(input.id) });
    return payload(input, { notificationService: service });
  }

  @Mutation(() => NotificationServiceEnablePayload, {
    ...optional,
    description: 'Enables a notification service; events missed while disabled are not sent.',
  })
  async notificationServiceEnable(
    @Arg('input', () => NotificationServiceEnableInput, { description: 'Notification service to enable.' })
    input: NotificationServiceEnableInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { service } = await context.command(enableNotificationService, addressOf(input.id));
    return payload(input, { notificationService: service });
  }

  @Mutation(() => NotificationServiceDisablePayload, {
    ...optional,
    description: 'Disables a notification service and fails its pending deliveries.',
  })
  async notificationServiceDisable(
    @Arg('input', () => NotificationServiceDisableInput, { description: 'Notification service to disable.' })
    input: NotificationServiceDisableInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { service } = await context.command(disableNotificationService, addressOf(input.id));
    return payload(input, { notificationService: service });
  }

  @Mutation(() => NotificationServicePingPayload, {
    ...optional,
    description: 'Sends a ping to a notification service.',
  })
  async notificationServicePing(
    @Arg('input', () => NotificationServicePingInput, { description: 'Notification service to send a ping to.' })
    input: NotificationServicePingInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { service } = await context.command(pingNotificationService, addressOf(input.id));
    return payload(input, { notificationService: service });
  }

  @Mutation(() => NotificationServiceDeletePayload, { ...optional, description: 'Deletes a notification service.' })
  async notificationServiceDelete(
    @Arg('input', () => NotificationServiceDeleteInput, { description: 'Notification service to delete.' })
    input: NotificationServiceDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { organization } = await context.command(deleteNotificationService, addressOf(input.id));
    return payload(input, { deletedNotificationServiceId: input.id, organization });
  }

  @Mutation(() => NotificationDeliveryRedeliverPayload, {
    ...optional,
    description: 'Sends the event of a delivery again, as a new delivery.',
  })
  async notificationDeliveryRedeliver(
    @Arg('input', () => NotificationDeliveryRedeliverInput, { description: 'Delivery to repeat.' })
    input: NotificationDeliveryRedeliverInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { delivery } = await context.command(redeliverNotification, {
      ...addressOf(input.id),
      id: input.deliveryUuid,
    });
    return payload(input, { notificationDelivery: delivery });
  }
}

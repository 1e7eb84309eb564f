import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { redeliverNotification } from '../../operations/notification-deliveries/redeliver.js';
import { createNotificationService } from '../../operations/notification-services/create.js';
import { deleteNotificationService } from '../../operations/notification-services/delete.js';
import { disableNotificationService } from '../../operations/notification-services/disable.js';
import { enableNotificationService } from '../../operations/notification-services/enable.js';
import { serviceKind } from '../../operations/notification-services/find-service.js';
import { pingNotificationService } from '../../operations/notification-services/ping.js';
import { updateNotificationService } from '../../operations/notification-services/update.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { IdInput, MutationInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { Organization } from '../organizations/organization.js';
import { NotificationDelivery } from './notification-delivery.js';
import { NotificationServiceWebhook } from './notification-service.js';

@InputType({ description: 'Where an outgoing webhook sends events, and which.' })
class NotificationServiceSettingsInput {
  @Field(() => String, { ...optional, description: 'An http or https URL.' })
  url?: string | null;

  @Field(() => String, { ...optional, description: 'What proves who sends; null takes it away.' })
  token?: string | null;

  @Field(() => String, { ...optional, description: '`token` sends it in a header, `signature` signs with it.' })
  tokenMode?: string | null;

  @Field(() => [String], { ...optional, description: 'Events such as `build.finished`; every event where absent.' })
  events?: string[] | null;

  @Field(() => Boolean, { ...optional, description: 'Whether the certificate of the receiver is checked.' })
  tlsVerify?: boolean | null;
}

@InputType({ description: 'A new outgoing webhook.' })
class NotificationServiceCreateInput extends MutationInput {
  @Field(() => ID, { description: 'The organization.' })
  organizationId!: string;

  @Field(() => String)
  description!: string;

  @Field(() => Boolean, optional)
  enabled?: boolean | null;

  @Field(() => String, { ...optional, description: '`all`, `some_projects`, `some_teams` or `some_clusters`.' })
  scope?: string | null;

  @Field(() => [ID], { ...optional, description: 'UUIDs of the pipelines, teams or clusters.' })
  scopeUuids?: string[] | null;

  @Field(() => String, { ...optional, description: 'A branch filter pattern.' })
  branchConfiguration?: string | null;

  @Field(() => NotificationServiceSettingsInput)
  settings!: NotificationServiceSettingsInput;
}

@InputType({ description: 'What is to change of an outgoing webhook; what is absent stays.' })
class NotificationServiceUpdateInput extends IdInput {
  @Field(() => String, optional)
  description?: string | null;

  @Field(() => String, optional)
  scope?: string | null;

  @Field(() => [ID], optional)
  scopeUuids?: string[] | null;

  @Field(() => String, optional)
  branchConfiguration?: string | null;

  @Field(() => NotificationServiceSettingsInput, optional)
  settings?: NotificationServiceSettingsInput | null;
}

@InputType({ description: 'An outgoing webhook to be deleted.' })
class NotificationServiceDeleteInput extends IdInput {}

@InputType({ description: 'An outgoing webhook to be told of events again.' })
class NotificationServiceEnableInput extends IdInput {}

@InputType({ description: 'An outgoing webhook to be told of nothing more.' })
class NotificationServiceDisableInput extends IdInput {}

@InputType({ description: 'An outgoing webhook to be tried.' })
class NotificationServicePingInput extends IdInput {}

@InputType({ description: 'A delivery whose event is to be sent again.' })
class NotificationDeliveryRedeliverInput extends IdInput {
  @Field(() => ID, { description: 'The uuid of the delivery; `id` is its service.' })
  deliveryUuid!: string;
}

/** A payload with nothing but the service. */
function servicePayload(name: string) {
  @ObjectType(name, { description: 'The outgoing webhook as it is now.' })
  class ServicePayload extends MutationPayload {
    @Field(() => NotificationServiceWebhook)
    notificationService!: unknown;
  }
  return ServicePayload;
}

const NotificationServiceCreatePayload = servicePayload('NotificationServiceCreatePayload');
const NotificationServiceUpdatePayload = servicePayload('NotificationServiceUpdatePayload');
const NotificationServiceEnablePayload = servicePayload('NotificationServiceEnablePayload');
const NotificationServiceDisablePayload = servicePayload('NotificationServiceDisablePayload');
const NotificationServicePingPayload = servicePayload('NotificationServicePingPayload');

@ObjectType({ description: 'What was deleted, and where.' })
class NotificationServiceDeletePayload extends MutationPayload {
  @Field(() => ID)
  deletedNotificationServiceId!: string;

  @Field(() => Organization)
  organization!: unknown;
}

@ObjectType({ description: 'The new delivery.' })
class NotificationDeliveryRedeliverPayload extends MutationPayload {
  @Field(() => NotificationDelivery)
  notificationDelivery!: unknown;
}

const addressOf = (id: string) => ({ service: { id: uuidOf(id, [serviceKind]) } });

/** Settings under the names REST has for them, which are the operation's; null is as good as absent but for the token. */
function settingsOf({ url, token, tokenMode, events, tlsVerify }: NotificationServiceSettingsInput) {
  return { url: url ?? undefined, token, token_mode: tokenMode ?? undefined, events: events ?? undefined, tls_verify: tlsVerify ?? undefined };
}

@Resolver()
export class NotificationMutations {
  @Mutation(() => NotificationServiceCreatePayload, { ...optional, description: 'Creates an outgoing webhook and sends it a ping.' })
  async notificationServiceCreate(@Arg('input', () => NotificationServiceCreateInput) input: NotificationServiceCreateInput, @Ctx() context: GraphqlContext) {
    const { organizationId, description, enabled, scope, scopeUuids, branchConfiguration, settings } = input;
    const fields = { description, enabled, scope, scopeUuids, branchConfiguration, settings: settingsOf(settings) };
    const { service } = await context.command(createNotificationService, { ...fields, organization: { id: uuidOf(organizationId, ['Organization']) } });
    return payload(input, { notificationService: service });
  }

  @Mutation(() => NotificationServiceUpdatePayload, { ...optional, description: 'Updates an outgoing webhook.' })
  async notificationServiceUpdate(@Arg('input', () => NotificationServiceUpdateInput) input: NotificationServiceUpdateInput, @Ctx() context: GraphqlContext) {
    const { description, scope, scopeUuids, branchConfiguration, settings } = input;
    const fields = { description: description ?? undefined, scope: scope ?? undefined, scopeUuids: scopeUuids ?? undefined, branchConfiguration, settings: settings ? settingsOf(settings) : undefined };
    const { service } = await context.command(updateNotificationService, { ...fields, ...addressOf(input.id) });
    return payload(input, { notificationService: service });
  }

  @Mutation(() => NotificationServiceEnablePayload, { ...optional, description: 'Enables an outgoing webhook.' })
  async notificationServiceEnable(@Arg('input', () => NotificationServiceEnableInput) input: NotificationServiceEnableInput, @Ctx() context: GraphqlContext) {
    const { service } = await context.command(enableNotificationService, addressOf(input.id));
    return payload(input, { notificationService: service });
  }

  @Mutation(() => NotificationServiceDisablePayload, { ...optional, description: 'Disables an outgoing webhook.' })
  async notificationServiceDisable(@Arg('input', () => NotificationServiceDisableInput) input: NotificationServiceDisableInput, @Ctx() context: GraphqlContext) {
    const { service } = await context.command(disableNotificationService, addressOf(input.id));
    return payload(input, { notificationService: service });
  }

  @Mutation(() => NotificationServicePingPayload, { ...optional, description: 'Sends a ping to an outgoing webhook.' })
  async notificationServicePing(@Arg('input', () => NotificationServicePingInput) input: NotificationServicePingInput, @Ctx() context: GraphqlContext) {
    const { service } = await context.command(pingNotificationService, addressOf(input.id));
    return payload(input, { notificationService: service });
  }

  @Mutation(() => NotificationServiceDeletePayload, { ...optional, description: 'Deletes an outgoing webhook.' })
  async notificationServiceDelete(@Arg('input', () => NotificationServiceDeleteInput) input: NotificationServiceDeleteInput, @Ctx() context: GraphqlContext) {
    const { organization } = await context.command(deleteNotificationService, addressOf(input.id));
    return payload(input, { deletedNotificationServiceId: input.id, organization });
  }

  @Mutation(() => NotificationDeliveryRedeliverPayload, { ...optional, description: 'Sends the event of a delivery again.' })
  async notificationDeliveryRedeliver(@Arg('input', () => NotificationDeliveryRedeliverInput) input: NotificationDeliveryRedeliverInput, @Ctx() context: GraphqlContext) {
    const { delivery } = await context.command(redeliverNotification, { ...addressOf(input.id), id: input.deliveryUuid });
    return payload(input, { notificationDelivery: delivery });
  }
}

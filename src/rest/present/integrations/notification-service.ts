import type { Context } from '../../../request/context.js';
import {
  notificationEvents,
  stepEvents,
  testWorkflowEvents,
} from '../../../domain/integrations/notification-events.js';
import { notifiedStates, shownStates } from '../../../domain/integrations/notified-states.js';
import { providerNames, serviceProviders } from '../../../domain/integrations/service-providers.js';
import { serviceKinds } from '../../../resources/integrations/notification-services/find-service.js';
import { shownSettings } from '../../../resources/integrations/notification-services/service-settings.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { NotificationDeliveryRow, NotificationServiceRow } from '../../../entities/database.js';
import type { NotificationDeliverySubject } from '../../../resources/integrations/notification-deliveries/find-delivery.js';
import {
  anything,
  arrayOf,
  boolean,
  described,
  enumOf,
  integer,
  mapOf,
  nullable,
  object,
  partialObject,
  reference,
  text,
  time,
  url,
  uuid,
} from '../../openapi/schema.js';
import { field, type Fields, resource } from '../fields.js';
import { presentUserById } from '../organizations/user.js';
import { Urls } from '../urls.js';
import { existing, timeOrNull } from '../values.js';

interface ServiceSource {
  context: Context;
  service: NotificationServiceRow;
  serviceUrl: string;
}

const providerSchema = object({
  id: described(enumOf(...serviceProviders), 'Kind of notification service.'),
  name: described(text, 'Name of the kind.'),
});

const stateDescriptions: Readonly<Record<(typeof notifiedStates)[number], string>> = {
  build_passed: 'Whether `build.finished` is sent for builds that passed.',
  build_fixed:
    'Whether `build.finished` is sent for builds that passed after the previous build of their branch failed, ' +
    'also if `build_passed` is false.',
  build_failed: 'Whether `build.finished` is sent for builds that failed.',
  build_blocked: 'Whether `build.finished` is sent for builds that wait for somebody.',
  build_canceled: 'Whether `build.finished` is sent for builds that were canceled.',
  build_failing: 'Whether `build.failing` is sent.',
  job_activated: 'Whether `job.activated` is sent.',
};
const buildStatesSchema = object(
  Object.fromEntries(notifiedStates.map((state) => [state, described(boolean, stateDescriptions[state])])),
);

/** Settings of every provider; a service has those of its own. */
const settingsSchema = partialObject({
  url: described(url, 'URL that events are sent to. Of `webhook`; that of `slack` is a secret and not shown.'),
  token_mode: described(
    enumOf('token', 'signature'),
    'Whether requests carry the token itself or a signature made with it. Of `webhook`.',
  ),
  token_set: described(boolean, 'Whether the service has a token; its value is never shown. Of `webhook`.'),
  version: described(integer, 'Version of the payload. Of `webhook`.'),
  events: described(arrayOf(enumOf(...notificationEvents)), 'Events that are sent. Of `webhook` and `event_log_api`.'),
  tls_verify: described(boolean, 'Whether the TLS certificate of the receiver is verified. Of `webhook`.'),
  theme: described(enumOf('text', 'emoji'), 'Whether messages begin with an emoji. Of `slack`.'),
  workspace: described(text, 'Name of the workspace, as `notify` names it before a channel. Of `slack_workspace`.'),
  aws_region: described(text, 'Region of the event bus. Of `aws_event_bridge`.'),
  aws_account_id: described(text, 'Account of the event bus, masked. Of `aws_event_bridge`.'),
  event_bus_name: described(text, 'Name of the event bus; `default` if absent. Of `aws_event_bridge`.'),
  include_build_meta_data: described(boolean, 'Whether events have the meta-data of builds. Of `aws_event_bridge`.'),
  api_key: described(text, 'API key, masked. Of `datadog_pipeline_visibility`.'),
  datadog_site: described(text, 'Site; `datadoghq.com` if absent. Of `datadog_pipeline_visibility`.'),
  datadog_tags: described(text, 'Tags of every build and job, a line each. Of `datadog_pipeline_visibility`.'),
  endpoint: described(url, 'Base URL of the collector, before `/v1/traces`. Of `open_telemetry_tracing`.'),
  service_name: described(text, '`service.name` of the spans; `buildkite` if absent. Of `open_telemetry_tracing`.'),
  headers: described(mapOf(text), 'Headers of requests, their values masked. Of `open_telemetry_tracing`.'),
  resource_attributes: described(mapOf(text), 'Attributes of the resource. Of `open_telemetry_tracing`.'),
  tracestate: described(mapOf(text), 'Members of `tracestate` of the spans. Of `open_telemetry_tracing`.'),
});

/** A notification service of an organization. */
export const notificationServiceResource = resource<ServiceSource>({
  id: field(uuid, 'ID of the notification service.', ({ service }) => service.id),
  graphql_id: field(text, 'ID of the notification service in the GraphQL API.', ({ service }) =>
    encodeNodeId(serviceKinds[service.provider], service.id),
  ),
  url: field(url, 'API URL of the notification service.', ({ serviceUrl }) => serviceUrl),
  provider: field(providerSchema, 'Kind of notification service.', ({ service: { provider } }) => ({
    id: provider,
    name: providerNames[provider],
  })),
  description: field(text, 'Description of the notification service.', ({ service }) => service.description),
  enabled: field(boolean, 'Whether events are sent.', ({ service }) => service.enabled),
  scope: field(
    enumOf('all', 'some_projects', 'some_teams', 'some_clusters'),
    'Whether events of all pipelines are sent, or of those of some pipelines, teams or clusters.',
    ({ service }) => service.scope,
  ),
  scope_uuids: field(
    arrayOf(uuid),
    'IDs of the pipelines, teams or clusters that `scope` names.',
    ({ service }) => service.scopeIds,
  ),
  branch_configuration: field(
    text,
    'Branches whose events are sent, as patterns; empty for all.',
    ({ service }) => service.branchConfiguration ?? '',
  ),
  build_states: field(
    buildStatesSchema,
    'Outcomes that are notified of, among the events in `settings.events`.',
    ({ service }) => ({ ...shownStates(service.withheldStates) }),
  ),
  settings: field(settingsSchema, 'Settings of the provider; secrets are masked or left out.', ({ context, service }) =>
    shownSettings(context.services, service),
  ),
  broken_at: field(
    nullable(time),
    'Time the service was disabled because its deliveries had failed for too long; enabling it clears it.',
    ({ service }) => timeOrNull(service.brokenAt),
  ),
  created_at: field(time, 'Time the notification service was created.', ({ service }) => formatTime(service.createdAt)),
  created_by: field(nullable(reference('User')), 'User who created the notification service.', ({ context, service }) =>
    presentUserById(context, service.createdById),
  ),
});

export async function presentNotificationService(
  context: Context,
  service: NotificationServiceRow,
): Promise<JsonObject> {
  return notificationServiceResource.present({ context, service, serviceUrl: await serviceUrlOf(context, service) });
}

interface DeliverySource {
  delivery: NotificationDeliveryRow;
  event: string;
  serviceUrl: string;
}

const idField = field<Pick<DeliverySource, 'delivery'>>(uuid, 'ID of the delivery.', ({ delivery }) => delivery.id);

/** What a delivery says of itself, wherever it is found. */
export const sentFields: Fields<Pick<DeliverySource, 'delivery'>> = {
  id: idField,
  state: field(enumOf('pending', 'delivered', 'failed'), 'State of the delivery.', ({ delivery }) => delivery.state),
  attempts: field(integer, 'Number of attempts so far.', ({ delivery }) => delivery.attempts),
  receiver_url: field(
    url,
    'URL that the event is sent to; of services other than webhooks a name of the receiver in that form.',
    ({ delivery }) => delivery.url,
  ),
  response_status: field(
    nullable(integer),
    'Status of the reply to the last attempt, of HTTP or SMTP.',
    ({ delivery }) => delivery.responseStatus,
  ),
  response_body: field(nullable(text), 'Beginning of the body of that reply.', ({ delivery }) => delivery.responseBody),
  request_body: field(
    nullable(text),
    'Beginning of the last request without secrets; null for a webhook, whose request is the payload.',
    ({ delivery }) => delivery.requestBody,
  ),
  error: field(nullable(text), 'Error of the last attempt.', ({ delivery }) => delivery.lastError),
  duration_in_milliseconds: field(
    nullable(integer),
    'Duration of the last attempt in milliseconds.',
    ({ delivery }) => delivery.durationMs,
  ),
  next_attempt_at: field(
    nullable(time),
    'Time of the next attempt; null unless the delivery is pending.',
    ({ delivery }) => (delivery.state === 'pending' ? formatTime(delivery.nextAttemptAt) : null),
  ),
  redelivery_of: field(
    nullable(uuid),
    'ID of the delivery that this one repeats.',
    ({ delivery }) => delivery.redeliveryOfId,
  ),
  created_at: field(time, 'Time the delivery was created.', ({ delivery }) => formatTime(delivery.createdAt)),
  attempted_at: field(nullable(time), 'Time of the last attempt.', ({ delivery }) => timeOrNull(delivery.attemptedAt)),
  delivered_at: field(nullable(time), 'Time the receiver accepted the event.', ({ delivery }) =>
    timeOrNull(delivery.deliveredAt),
  ),
};

const deliveryFields: Fields<DeliverySource> = {
  id: idField,
  url: field(url, 'API URL of the delivery.', ({ delivery, serviceUrl }) => `${serviceUrl}/deliveries/${delivery.id}`),
  event: field(
    enumOf(...notificationEvents, ...stepEvents, ...testWorkflowEvents, 'ping'),
    'Event that is sent.',
    ({ event }) => event,
  ),
  ...sentFields,
};

export const notificationDeliveryResource = resource(deliveryFields);

export const notificationDeliveryWithPayloadResource = resource<DeliverySource & { payload: string }>({
  ...deliveryFields,
  payload: field(mapOf(anything), 'Payload that is sent.', ({ payload }) => JSON.parse(payload) as JsonObject),
});

export async function presentNotificationDelivery(
  context: Context,
  delivery: NotificationDeliveryRow,
): Promise<JsonObject> {
  const notification = existing(await context.load.notification.load(delivery.notificationId), 'a notification');
  const serviceUrl = await serviceUrlOfDelivery(context, delivery);
  return notificationDeliveryResource.present({ delivery, event: notification.event, serviceUrl });
}

/** Presents a delivery with its payload, which lists leave out. */
export async function presentDeliveryWithPayload(
  context: Context,
  { delivery, notification }: Pick<NotificationDeliverySubject, 'delivery' | 'notification'>,
): Promise<JsonObject> {
  const serviceUrl = await serviceUrlOfDelivery(context, delivery);
  const { id, event } = notification;
  const payload = existing(await context.load.longTexts.notificationPayload.load(id), 'a notification');
  return notificationDeliveryWithPayloadResource.present({ delivery, event, payload, serviceUrl });
}

async function serviceUrlOfDelivery(context: Context, { serviceId }: NotificationDeliveryRow): Promise<string> {
  const service = serviceId === null ? null : await context.load.notificationService.load(serviceId);
  return serviceUrlOf(context, existing(service, 'a notification service'));
}

async function serviceUrlOf(context: Context, service: NotificationServiceRow): Promise<string> {
  const organization = existing(await context.load.organization.load(service.organizationId), 'an organization');
  return `${Urls.of(context).organization(organization).api}/services/${service.id}`;
}

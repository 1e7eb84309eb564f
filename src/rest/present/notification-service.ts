import type { Context } from '../../context.js';
import { encodeNodeId } from '../../domain/node-id.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { NotificationDeliveryRow, NotificationServiceRow } from '../../entities/database.js';
import type { NotificationDeliverySubject } from '../../operations/notification-deliveries/find-delivery.js';
import { Urls } from './urls.js';
import { presentUserById } from './user.js';
import { existing, timeOrNull } from './values.js';

/** An outgoing webhook (rest-facts 3.7); its token is never shown, only whether there is one. */
export async function presentNotificationService(context: Context, service: NotificationServiceRow): Promise<JsonObject> {
  return {
    id: service.id,
    graphql_id: encodeNodeId('NotificationServiceWebhook', service.id),
    url: await urlOf(context, service),
    provider: { id: 'webhook', name: 'Webhook' },
    description: service.description,
    enabled: service.enabled,
    scope: service.scope,
    scope_uuids: service.scopeIds,
    branch_configuration: service.branchConfiguration ?? '',
    settings: {
      url: service.url,
      token_mode: service.tokenMode,
      token_set: service.sealedToken !== null,
      version: 3,
      events: service.events,
      tls_verify: service.tlsVerify,
    },
    created_at: formatTime(service.createdAt),
    created_by: await presentUserById(context, service.createdById),
  };
}

/** One delivery without its payload: where it stands, and what the last try met. */
export async function presentNotificationDelivery(context: Context, delivery: NotificationDeliveryRow): Promise<JsonObject> {
  const service = existing(delivery.serviceId === null ? null : await context.load.notificationService.load(delivery.serviceId), 'a service');
  const notification = existing(await context.load.notification.load(delivery.notificationId), 'an event');
  return {
    id: delivery.id,
    url: `${await urlOf(context, service)}/deliveries/${delivery.id}`,
    event: notification.event,
    state: delivery.state,
    attempts: delivery.attempts,
    receiver_url: delivery.url,
    response_status: delivery.responseStatus,
    response_body: delivery.responseBody,
    error: delivery.lastError,
    duration_in_milliseconds: delivery.durationMs,
    next_attempt_at: delivery.state === 'pending' ? formatTime(delivery.nextAttemptAt) : null,
    redelivery_of: delivery.redeliveryOfId,
    created_at: formatTime(delivery.createdAt),
    attempted_at: timeOrNull(delivery.attemptedAt),
    delivered_at: timeOrNull(delivery.deliveredAt),
  };
}

/** The same with the payload it carries. */
export async function presentDeliveryWithPayload(context: Context, { delivery, notification }: Pick<NotificationDeliverySubject, 'delivery' | 'notification'>): Promise<JsonObject> {
  return { ...(await presentNotificationDelivery(context, delivery)), payload: JSON.parse(notification.payload) as JsonObject };
}

async function urlOf(context: Context, service: NotificationServiceRow): Promise<string> {
  const organization = existing(await context.load.organization.load(service.organizationId), 'an organization');
  return `${Urls.of(context).organization(organization).api}/services/${service.id}`;
}

import { defineEntity, p } from '@mikro-orm/core';
import type { ChannelName } from '../../domain/integrations/service-providers.js';
import { at, atOrNull, idOrNull, textOrNull } from '../columns.js';

export type DeliveryState = 'pending' | 'delivered' | 'failed';

/**
 * An event for one receiver: a notification service, or a `notify` entry of a pipeline (then `serviceId` is null).
 * Deliveries to one receiver about one subject are sent in the order of `sequence` and `id`, one after another.
 */
export const NotificationDeliverySchema = defineEntity({
  name: 'NotificationDelivery',
  tableName: 'notification_deliveries',
  indexes: [
    {
      name: 'notification_deliveries_due_index',
      properties: ['nextAttemptAt'],
      expression:
        `create index "notification_deliveries_due_index" on "notification_deliveries" ` +
        `("next_attempt_at", "id") where "state" = 'pending'`,
    },
    {
      name: 'notification_deliveries_order_index',
      properties: ['receiver', 'orderKey'],
      expression:
        `create index "notification_deliveries_order_index" on "notification_deliveries" ("receiver", ` +
        `"order_key", "sequence", "id") where "state" = 'pending'`,
    },
    { properties: ['serviceId', 'id'] },
    { properties: ['notificationId'] },
    { properties: ['createdAt'] },
  ],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    serviceId: idOrNull(),
    notificationId: p.uuid(),
    url: p.text(),
    /** The service's id, or the URL of a `notify` entry; deliveries with the same value are ordered. */
    receiver: p.text(),
    /** The build or agent the event is about: events of one come in order. */
    orderKey: p.text(),
    sequence: p.integer(),
    state: p.text().$type<DeliveryState>(),
    attempts: p.integer().default(0),
    nextAttemptAt: at(),
    /** Leased by a sender until then. */
    leasedUntilAt: atOrNull(),
    /** Error of the last attempt. */
    responseStatus: p.integer().nullable(),
    responseBody: textOrNull(),
    lastError: textOrNull(),
    durationMs: p.integer().nullable(),
    redeliveryOfId: idOrNull(),
    /** How it is sent (`channels/`): the provider of its service, or the word of a `notify` entry. */
    channel: p.text().$type<ChannelName>().default('webhook'),
    /** Room, address or key within the service, as sealed JSON (auth/sealed.ts); null if there is none. */
    sealedTarget: textOrNull(),
    /** Beginning of the last request, without secrets; null for a webhook, whose request is its payload. */
    requestBody: textOrNull(),
    /** Row of the build that says what came of it (`build_notifications`). */
    buildNotificationId: idOrNull(),
    createdAt: at(),
    attemptedAt: atOrNull(),
    deliveredAt: atOrNull(),
  },
});

import type { NewRow, NotificationDeliveryRow } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';

/** A new delivery of the event of an ended one to the same receiver, due at once. */
export function againAs(context: Context, before: NotificationDeliveryRow): NewRow<'notification_deliveries'> {
  const { organizationId, serviceId, notificationId, url, receiver, channel } = before;
  const { sealedTarget, buildNotificationId, orderKey, sequence } = before;
  return {
    id: context.newId(),
    organizationId,
    serviceId,
    notificationId,
    url,
    receiver,
    channel,
    sealedTarget,
    buildNotificationId,
    orderKey,
    sequence,
    state: 'pending',
    nextAttemptAt: context.now,
    redeliveryOfId: before.redeliveryOfId ?? before.id,
    createdAt: context.now,
  };
}

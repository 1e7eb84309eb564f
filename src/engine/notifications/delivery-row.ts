import { seal } from '../../auth/sealed.js';
import type { Context } from '../../request/context.js';
import type { NewRow } from '../../entities/database.js';
import type { Receiver } from './subscribed-services.js';
import { targetPurpose } from './target-purpose.js';

/** What a delivery is about, beside its receiver. */
interface Order {
  organizationId: string;
  orderKey: string;
  sequence: number;
}

/** A new delivery of a notification, due at once. */
export function deliveryRow(
  context: Context,
  { organizationId, orderKey, sequence }: Order,
  notificationId: string,
  { channel, serviceId, url, receiver, target, buildNotificationId }: Receiver,
): NewRow<'notification_deliveries'> {
  return {
    id: context.newId(),
    organizationId,
    serviceId,
    notificationId,
    url,
    receiver,
    channel,
    sealedTarget:
      Object.keys(target).length === 0 ? null : seal(context.services.secretKey, targetPurpose, JSON.stringify(target)),
    buildNotificationId: buildNotificationId ?? null,
    orderKey,
    sequence,
    state: 'pending',
    nextAttemptAt: context.now,
    createdAt: context.now,
  };
}

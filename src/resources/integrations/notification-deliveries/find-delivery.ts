import type { Context } from '../../../request/context.js';
import type { NotificationDeliveryRow, ShownNotificationRow } from '../../../entities/database.js';
import { type InOrganizationAddress, isId } from '../../../core/address.js';
import { findNotificationService, type NotificationServiceSubject } from '../notification-services/find-service.js';

export interface NotificationDeliverySubject extends NotificationServiceSubject {
  delivery: NotificationDeliveryRow;
  notification: ShownNotificationRow;
}

/** One delivery of a service by its uuid, with the event it carries. */
export async function findDelivery(
  context: Context,
  service: InOrganizationAddress,
  id: string,
  lock = false,
): Promise<NotificationDeliverySubject | null> {
  const parent = await findNotificationService(context, service);
  if (!parent || !isId(id)) return null;
  const query = context.db
    .selectFrom('notification_deliveries')
    .selectAll()
    .where('id', '=', id)
    .where('serviceId', '=', parent.service.id);
  const delivery = await (lock ? query.forUpdate() : query).executeTakeFirst();
  const notification = delivery && (await context.load.notification.load(delivery.notificationId));
  return delivery && notification ? { ...parent, delivery, notification } : null;
}

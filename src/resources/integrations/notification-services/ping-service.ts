import type { Context } from '../../../request/context.js';
import { deliveryRow } from '../../../engine/notifications/delivery-row.js';
import { receiverOfService } from '../../../engine/notifications/subscribed-services.js';
import { shownSettings } from './service-settings.js';
import type { NotificationServiceRow } from '../../../entities/database.js';

/** Queues a `ping` for a service; its payload names the service and its organization. */
export async function sendPing(context: Context, service: NotificationServiceRow): Promise<void> {
  const organization = await context.load.organization.load(service.organizationId);
  if (!organization) throw new Error(`notification service ${service.id} has no organization`);
  const notificationId = context.newId();
  const payload = {
    event: 'ping',
    service: {
      id: service.id,
      provider: service.provider,
      settings: service.provider === 'webhook' ? { url: service.url } : shownSettings(context.services, service),
    },
    organization: { id: organization.id, slug: organization.slug, name: organization.name },
  };
  await context.db
    .insertInto('notifications')
    .values({
      id: notificationId,
      organizationId: service.organizationId,
      event: 'ping',
      payload: JSON.stringify(payload),
      createdAt: context.now,
    })
    .execute();
  const about = { organizationId: service.organizationId, orderKey: service.id, sequence: 0 };
  await context.db
    .insertInto('notification_deliveries')
    .values(deliveryRow(context, about, notificationId, receiverOfService(service)))
    .execute();
  context.recorder.notifies = true;
}

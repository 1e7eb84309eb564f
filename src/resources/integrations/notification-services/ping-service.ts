import type { Context } from '../../../request/context.js';
import type { NotificationServiceRow } from '../../../entities/database.js';

/** Queues a `ping` for a service: which service it is, of which organization. */
export async function sendPing(context: Context, service: NotificationServiceRow): Promise<void> {
  const organization = await context.load.organization.load(service.organizationId);
  if (!organization) throw new Error(`notification service ${service.id} has no organization`);
  const notificationId = context.newId();
  const payload = {
    event: 'ping',
    service: { id: service.id, provider: 'webhook', settings: { url: service.url } },
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
  await context.db
    .insertInto('notification_deliveries')
    .values({
      id: context.newId(),
      organizationId: service.organizationId,
      serviceId: service.id,
      notificationId,
      url: service.url,
      receiver: service.id,
      orderKey: service.id,
      sequence: 0,
      state: 'pending',
      nextAttemptAt: context.now,
      createdAt: context.now,
    })
    .execute();
  context.recorder.notifies = true;
}

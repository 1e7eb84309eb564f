import { sql } from 'kysely';
import { recordSystemAudit } from '../../../core/audit.js';
import { asSystem } from '../../../core/system-transaction.js';
import { isBreaking } from '../../../domain/integrations/notification-retry.js';
import type { Services } from '../../../services/services.js';
import type { DeliveryResult } from './delivery-result.js';

/**
 * Counts the deliveries of each service that have failed for good in a row, and disables a service with too many of
 * them over too long: one audit event says so, and enabling the service clears it.
 */
export async function recordFailures(services: Services, results: readonly DeliveryResult[]): Promise<void> {
  const counts = new Map<string, { failed: number; delivered: boolean }>();
  for (const { service_id: id, state, attempted } of results) {
    if (id === null || !attempted || state === 'pending') continue;
    const count = counts.get(id) ?? { failed: 0, delivered: false };
    counts.set(id, {
      failed: count.failed + (state === 'failed' ? 1 : 0),
      delivered: count.delivered || state === 'delivered',
    });
  }
  const answering = [...counts].filter(([, { delivered }]) => delivered).map(([id]) => id);
  if (answering.length > 0)
    await services.db
      .updateTable('notification_services')
      .set({ failures: 0, failingSinceAt: null })
      .where('id', 'in', answering)
      .where('failures', '>', 0)
      .execute();
  for (const [id, { failed, delivered }] of counts) if (!delivered) await countFailures(services, id, failed);
}

async function countFailures(services: Services, id: string, failed: number): Promise<void> {
  const now = services.clock.now();
  const service = await services.db
    .updateTable('notification_services')
    .set({
      failures: sql<number>`failures + ${failed}`,
      failingSinceAt: sql<Date>`coalesce(failing_since_at, ${now}::timestamptz)`,
    })
    .where('id', '=', id)
    .returning(['enabled', 'failures', 'failingSinceAt'])
    .executeTakeFirst();
  if (!service?.enabled || !isBreaking(service.failures, service.failingSinceAt ?? now, now)) return;
  await asSystem(services, 'broken-services', async (context) => {
    const broken = await context.db
      .updateTable('notification_services')
      .set({ enabled: false, brokenAt: now, updatedAt: now })
      .where('id', '=', id)
      .where('enabled', '=', true)
      .returning(['organizationId', 'description'])
      .executeTakeFirst();
    if (!broken) return;
    const subject = { noun: 'notification-service', id, name: broken.description };
    recordSystemAudit(context, {
      organizationId: broken.organizationId,
      operation: 'notification-service.break',
      subject,
    });
    services.log.warn(
      { serviceId: id, failures: service.failures, since: service.failingSinceAt },
      'a notification service is broken and was disabled',
    );
  });
}

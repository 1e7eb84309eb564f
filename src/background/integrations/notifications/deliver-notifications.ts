import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { unsealOwn } from '../../auth/sealed.js';
import type { OutboundReply, Services } from '../../services.js';
import { deliveryDelayMs, deliveryLifetimeMs, isTaken } from '../../domain/integrations/notification-retry.js';
import type {
  Db,
  NotificationDeliveryRow,
  NotificationRow,
  NotificationServiceRow,
  Patch,
} from '../../entities/database.js';
import { asSystem } from '../../core/system-transaction.js';
import { senderOf } from './notification-sender.js';

/** Deliveries under way at once in one process. */
const atOnce = 10;
/** Lease of a delivery: its owner may have died. Longer than any request may take. */
const leaseMs = 60_000;
const keptOfReply = 4096;

/**
 * Sends the due deliveries; true if there were any. Deliveries to one receiver about one subject are sent strictly one
 * after another. A failed delivery is retried for three days with growing pauses; meanwhile the receiver's other
 * deliveries wait, and when it answers again they are sent at once.
 */
export async function deliverNotifications(services: Services): Promise<boolean> {
  const due = await asSystem(services, 'notifications', ({ db, now }) => take(db, now));
  await Promise.all(
    due.map((delivery) =>
      deliver(services, delivery).catch((error: unknown) =>
        services.log.error({ deliveryId: delivery.id, err: error }, 'a delivery could not be recorded'),
      ),
    ),
  );
  return due.length > 0;
}

/** Leases the first due delivery of each receiver and subject. */
async function take(db: Db, now: Date): Promise<NotificationDeliveryRow[]> {
  const rows = await db
    .selectFrom('notification_deliveries as d')
    .selectAll('d')
    .where('d.state', '=', 'pending')
    .where('d.nextAttemptAt', '<=', now)
    .where((eb) => eb.or([eb('d.leasedUntilAt', 'is', null), eb('d.leasedUntilAt', '<=', now)]))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('notification_deliveries as earlier')
            .select('earlier.id')
            .where('earlier.state', '=', 'pending')
            .whereRef('earlier.receiver', '=', 'd.receiver')
            .whereRef('earlier.orderKey', '=', 'd.orderKey')
            .where(sql<boolean>`(earlier.sequence, earlier.id) < (d.sequence, d.id)`),
        ),
      ),
    )
    .orderBy('d.nextAttemptAt')
    .orderBy('d.id')
    .limit(atOnce)
    .forUpdate()
    .skipLocked()
    .execute();
  if (rows.length === 0) return [];
  return db
    .updateTable('notification_deliveries')
    .set((eb) => ({
      leasedUntilAt: new Date(now.getTime() + leaseMs),
      attempts: eb('attempts', '+', 1),
      attemptedAt: now,
    }))
    .where(
      'id',
      'in',
      rows.map((row) => row.id),
    )
    .returningAll()
    .execute();
}

interface Attempt {
  reply: OutboundReply | null;
  error: string | null;
  durationMs: number;
}

async function deliver(services: Services, delivery: NotificationDeliveryRow): Promise<void> {
  const { db } = services;
  const notification = await db
    .selectFrom('notifications')
    .selectAll()
    .where('id', '=', delivery.notificationId)
    .executeTakeFirst();
  const service =
    delivery.serviceId === null
      ? null
      : ((await db
          .selectFrom('notification_services')
          .selectAll()
          .where('id', '=', delivery.serviceId)
          .executeTakeFirst()) ?? null);
  const orphaned = !notification || (delivery.serviceId !== null && !service);
  if (orphaned) return giveUp(services, delivery, 'The service or the event was deleted.');
  if (service && !service.enabled) return giveUp(services, delivery, 'The service is disabled.');
  const attempt = await attemptDelivery(services, delivery, notification, service);
  if (attempt.reply && isTaken(attempt.reply.status)) await markDelivered(services, delivery, attempt);
  else await markFailed(services, delivery, attempt);
}

async function attemptDelivery(
  services: Services,
  delivery: NotificationDeliveryRow,
  notification: NotificationRow,
  service: NotificationServiceRow | null,
): Promise<Attempt> {
  const started = performance.now();
  const took = () => Math.round(performance.now() - started);
  try {
    const sender = await senderOf(services.db, service);
    const body = JSON.stringify({ ...(JSON.parse(notification.payload) as object), ...(sender ? { sender } : {}) });
    const reply = await services.outbound.send({
      method: 'POST',
      url: delivery.url,
      headers: {
        'content-type': 'application/json',
        'x-buildkite-event': notification.event,
        'x-slipway-delivery': delivery.id,
        ...credentials(services, service, body),
      },
      body,
      tlsVerify: service?.tlsVerify ?? true,
    });
    return {
      reply,
      error: isTaken(reply.status) ? null : `The receiver answered ${reply.status}.`,
      durationMs: took(),
    };
  } catch (error) {
    return { reply: null, error: reasonOf(error), durationMs: took() };
  }
}

/** Exactly one of token and signature; the signature covers the time of this dispatch and the raw body. */
function credentials(services: Services, service: NotificationServiceRow | null, body: string): Record<string, string> {
  const token = service?.sealedToken
    ? unsealOwn(services.secretKey, 'notification-service', service.sealedToken)
    : null;
  if (!service || token === null) return {};
  if (service.tokenMode === 'token') return { 'x-buildkite-token': token };
  return { 'x-buildkite-signature': signatureHeader(token, Math.floor(services.clock.now().getTime() / 1000), body) };
}

/** `timestamp=<unix seconds>,signature=<hex HMAC-SHA256 of "timestamp.body">`: two parts, as receivers parse it. */
export function signatureHeader(token: string, timestamp: number, body: string): string {
  return `timestamp=${timestamp},signature=${createHmac('sha256', token).update(`${timestamp}.${body}`).digest('hex')}`;
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.slice(0, 500);
}

const outcome = ({ reply, error, durationMs }: Attempt) => ({
  responseStatus: reply?.status ?? null,
  responseBody: reply ? storable(reply.body) : null,
  lastError: error,
  durationMs,
  leasedUntilAt: null,
});

/** Beginning of a response body, as a text column can hold it. */
const storable = (text: string) => text.slice(0, keptOfReply).replaceAll(/[\0\p{Cs}]/gu, '');

/** Stores the result of an attempt, unless another process has taken over the delivery. */
async function store(
  services: Services,
  delivery: NotificationDeliveryRow,
  patch: Patch<'notification_deliveries'>,
): Promise<boolean> {
  const result = await services.db
    .updateTable('notification_deliveries')
    .set(patch)
    .where('id', '=', delivery.id)
    .where('state', '=', 'pending')
    .where('attempts', '=', delivery.attempts)
    .executeTakeFirst();
  return Number(result.numUpdatedRows) === 1;
}

async function markDelivered(services: Services, delivery: NotificationDeliveryRow, attempt: Attempt): Promise<void> {
  const now = services.clock.now();
  await store(services, delivery, { ...outcome(attempt), state: 'delivered', deliveredAt: now });
  // The receiver answers again: deliveries that waited for it become due.
  await services.db
    .updateTable('notification_deliveries')
    .set({ nextAttemptAt: now })
    .where('receiver', '=', delivery.receiver)
    .where('state', '=', 'pending')
    .where('nextAttemptAt', '>', now)
    .execute();
}

async function markFailed(services: Services, delivery: NotificationDeliveryRow, attempt: Attempt): Promise<void> {
  const now = services.clock.now();
  if (now.getTime() - delivery.createdAt.getTime() >= deliveryLifetimeMs)
    return giveUp(services, delivery, attempt.error ?? 'No answer.', attempt);
  const next = new Date(now.getTime() + deliveryDelayMs(delivery.attempts, Math.random()));
  if (!(await store(services, delivery, { ...outcome(attempt), nextAttemptAt: next }))) return;
  await services.db
    .updateTable('notification_deliveries')
    .set({ nextAttemptAt: next })
    .where('receiver', '=', delivery.receiver)
    .where('state', '=', 'pending')
    .where('nextAttemptAt', '<', next)
    .execute();
}

async function giveUp(
  services: Services,
  delivery: NotificationDeliveryRow,
  reason: string,
  attempt: Attempt | null = null,
): Promise<void> {
  await store(services, delivery, {
    ...(attempt ? outcome(attempt) : { leasedUntilAt: null }),
    state: 'failed',
    lastError: reason,
  });
}

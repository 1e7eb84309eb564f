import type { Attempt } from '../../../channels/channel.js';
import { channels } from '../../../channels/channels.js';
import { deliveryDelayMs, deliveryLifetimeMs, hourlyDelayMs } from '../../../domain/integrations/notification-retry.js';
import type { NotificationDeliveryRow } from '../../../entities/database.js';

const keptOfReply = 4096;

/** What is stored of a delivery after an attempt; one without an attempt keeps what the last one left. */
export interface DeliveryResult {
  id: string;
  /** Number of the attempt: a delivery that another process has taken over since has a higher one. */
  attempts: number;
  receiver: string;
  service_id: string | null;
  build_notification_id: string | null;
  state: NotificationDeliveryRow['state'];
  attempted: boolean;
  response_status: number | null;
  response_body: string | null;
  request_body: string | null;
  last_error: string | null;
  duration_ms: number | null;
  next_attempt_at: Date | null;
  delivered_at: Date | null;
}

/** The result of an attempt: delivered, to be tried again after a growing pause, or failed for good. */
export function resultOf(delivery: NotificationDeliveryRow, attempt: Attempt, now: Date): DeliveryResult {
  const { reply, error, durationMs, verdict } = attempt;
  const result = {
    ...abandoned(delivery, error),
    attempted: true,
    response_status: reply?.status ?? null,
    response_body: reply ? storable(reply.body) : null,
    request_body: attempt.request === undefined ? null : storable(attempt.request),
    duration_ms: durationMs,
  };
  if (verdict === 'sent') return { ...result, state: 'delivered', delivered_at: now };
  const pauseMs = verdict === 'retry' ? pauseBefore(delivery, attempt, now) : null;
  if (pauseMs === null) return { ...result, last_error: error ?? 'No answer.' };
  return { ...result, state: 'pending', next_attempt_at: new Date(now.getTime() + pauseMs) };
}

/** Milliseconds until the next attempt; null if there is none. */
function pauseBefore(delivery: NotificationDeliveryRow, attempt: Attempt, now: Date): number | null {
  const age = now.getTime() - delivery.createdAt.getTime();
  const isLast = channels[delivery.channel].patience === 'days' && age >= deliveryLifetimeMs;
  const pauseMs =
    channels[delivery.channel].patience === 'days'
      ? deliveryDelayMs(delivery.attempts, Math.random())
      : hourlyDelayMs(delivery.attempts, Math.random());
  return isLast || pauseMs === null ? null : Math.max(pauseMs, attempt.retryAfterMs ?? 0);
}

/** The result of a delivery that cannot be attempted. */
export function abandoned(delivery: NotificationDeliveryRow, reason: string | null): DeliveryResult {
  const { id, attempts, receiver, serviceId, buildNotificationId } = delivery;
  return {
    id,
    attempts,
    receiver,
    service_id: serviceId,
    build_notification_id: buildNotificationId,
    state: 'failed',
    attempted: false,
    response_status: null,
    response_body: null,
    request_body: null,
    last_error: reason,
    duration_ms: null,
    next_attempt_at: null,
    delivered_at: null,
  };
}

/** Beginning of a body, as a text column can hold it. */
const storable = (text: string) => text.slice(0, keptOfReply).replaceAll(/[\0\p{Cs}]/gu, '');

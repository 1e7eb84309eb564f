import type { Context } from '../context.js';
import { flush } from '../record-events.js';
import { queueNotifications } from '../engine/notifications/queue-notifications.js';

/** Finishes a transaction: writes its events and outbox rows and queues notifications of them. */
export async function finishTransaction(context: Context): Promise<void> {
  const events = await flush(context);
  if (events.length > 0) await queueNotifications(context, events);
}

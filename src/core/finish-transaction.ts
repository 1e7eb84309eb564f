import type { Context } from '../request/context.js';
import { queueNotifications } from '../engine/notifications/queue-notifications.js';

/** Finishes a transaction: writes what it recorded and queues notifications of its events. */
export async function finishTransaction(context: Context): Promise<void> {
  await context.flush();
  const { events, mayNotify } = context.recorder.written;
  if (mayNotify) await queueNotifications(context, events);
}

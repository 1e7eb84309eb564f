import { type Context, flush } from '../context.js';
import { queueNotifications } from './notifications/queue.js';

/** The last thing a transaction does: writes its events and outbox rows, and tells whoever asked to be told of them. */
export async function concludeTransaction(context: Context): Promise<void> {
  const events = await flush(context);
  if (events.length > 0) await queueNotifications(context, events);
}

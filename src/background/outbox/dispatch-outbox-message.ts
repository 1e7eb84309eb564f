import type { OutboxTopic } from '../../record-events.js';
import type { Services } from '../../services.js';
import { DatabaseUnavailableError } from '../../database/faults.js';
import type { Db, Row } from '../../entities/database.js';
import { asSystem } from '../../core/system-transaction.js';
import { outsideHandlers, transactionHandlers } from './outbox-handlers.js';

type Message = Row<'outbox_messages'>;

/** Attempts before a message is set aside for an operator; the last one comes hours after the first. */
const attemptsAtMost = 12;
const firstDelayMs = 1000;
const longestDelayMs = 60 * 60_000;
/** Lease of a message whose effect is outside a transaction: its owner may have died. */
const leaseMs = 10 * 60_000;

/**
 * Dispatches one due outbox message; false if there is none. Skips messages locked by another replica. A failing
 * message is retried with growing pauses and finally set aside; other messages do not wait for it.
 */
export async function dispatchOutboxMessage(services: Services): Promise<boolean> {
  let taken: Message | null = null;
  try {
    const outside = await asSystem(services, 'outbox', async (context) => {
      taken = await takeDue(context.db, context.now);
      if (!taken) return null;
      const handler = transactionHandlers[taken.topic as OutboxTopic];
      if (!handler) return lease(context.db, taken, context.now);
      await handler(context, taken);
      await context.db.deleteFrom('outbox_messages').where('id', '=', taken.id).execute();
      return null;
    });
    if (outside) await deliverOutside(services, outside);
  } catch (error) {
    // Without the database no message is to blame: a lost connection does not count as a try.
    if (!taken || error instanceof DatabaseUnavailableError) throw error;
    await noteFailure(services, taken, error);
  }
  return taken !== null;
}

async function takeDue(db: Db, now: Date): Promise<Message | null> {
  const row = await db
    .selectFrom('outbox_messages')
    .selectAll()
    .where('failedAt', 'is', null)
    .where('availableAt', '<=', now)
    .orderBy('availableAt')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row ?? null;
}

async function lease(db: Db, message: Message, now: Date): Promise<Message> {
  await db
    .updateTable('outbox_messages')
    .set({ availableAt: new Date(now.getTime() + leaseMs) })
    .where('id', '=', message.id)
    .execute();
  return message;
}

async function deliverOutside(services: Services, message: Message): Promise<void> {
  const handler = outsideHandlers[message.topic as OutboxTopic];
  if (!handler) throw new Error(`nobody delivers messages of the topic ${message.topic}`);
  await handler(services, message);
  await services.db.deleteFrom('outbox_messages').where('id', '=', message.id).execute();
}

async function noteFailure(services: Services, message: Message, error: unknown): Promise<void> {
  const attempts = message.attempts + 1;
  const now = services.clock.now();
  const delay = Math.min(longestDelayMs, firstDelayMs * 4 ** (attempts - 1)) * (0.75 + Math.random() / 2);
  const last = attempts >= attemptsAtMost;
  services.log[last ? 'error' : 'warn'](
    { topic: message.topic, messageId: message.id, attempts, err: error },
    last ? 'a message is set aside' : 'a message was not delivered',
  );
  await services.db
    .updateTable('outbox_messages')
    .set({
      attempts,
      lastError: String(error).slice(0, 2000),
      availableAt: new Date(now.getTime() + delay),
      failedAt: last ? now : null,
    })
    .where('id', '=', message.id)
    .execute();
}

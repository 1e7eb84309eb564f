import type { OutboxTopic, Services } from '../../context.js';
import type { Db, Row } from '../../entities/database.js';
import { asSystem } from '../system-transaction.js';
import { outsideHandlers, transactionHandlers } from './message-handlers.js';

type Message = Row<'outbox_messages'>;

/** Tries before a message is set aside for a person to look at; the last one comes hours after the first. */
const attemptsAtMost = 12;
const firstDelayMs = 1000;
const longestDelayMs = 60 * 60_000;
/** A message whose effect cannot be part of a transaction is nobody else's for so long; its owner may have died. */
const leaseMs = 10 * 60_000;

/**
 * Delivers one due message of the outbox: false where there is none. A message taken by another replica is passed
 * over. What fails is tried again later, ever more seldom, and set aside in the end; nothing else waits for it.
 */
export async function deliverMessage(services: Services): Promise<boolean> {
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
    if (!taken) throw error;
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
  await db.updateTable('outbox_messages').set({ availableAt: new Date(now.getTime() + leaseMs) }).where('id', '=', message.id).execute();
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
  services.log[last ? 'error' : 'warn']({ topic: message.topic, messageId: message.id, attempts, err: error }, last ? 'a message is set aside' : 'a message was not delivered');
  await services.db
    .updateTable('outbox_messages')
    .set({ attempts, lastError: String(error).slice(0, 2000), availableAt: new Date(now.getTime() + delay), failedAt: last ? now : null })
    .where('id', '=', message.id)
    .execute();
}

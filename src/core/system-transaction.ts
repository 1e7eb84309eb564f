import { announce } from './announce.js';
import { Context } from '../request/context.js';
import { inChildSpan } from '../tracing/tracing.js';
import type { Services } from '../services/services.js';
import { inTransaction } from '../database/transaction.js';
import type { Db } from '../entities/database.js';
import { finishTransaction } from './finish-transaction.js';

/** Creates a context for work without a caller. `cause` names the work in logs and request ids. */
export function systemContext(services: Services, cause: string, db: Db = services.db): Context {
  return new Context(services, { actor: { kind: 'system', cause }, surface: 'system', requestId: cause }, db);
}

/** Runs work without a caller in one transaction, with its events and outbox rows. */
export async function asSystem<T>(
  services: Services,
  cause: string,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const { result, events, notifies } = await inChildSpan(
    () => ({ name: cause }),
    () =>
      inTransaction(services.db, cause, async (trx) => {
        const context = systemContext(services, cause, trx);
        const done = await work(context);
        await finishTransaction(context);
        return { result: done, events: context.recorder.events, notifies: context.recorder.notifies };
      }),
  );
  if (notifies) services.wake('notifications');
  announce(services, events);
  return result;
}

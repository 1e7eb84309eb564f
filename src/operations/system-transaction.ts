import { Context, type Services } from '../context.js';
import { inTransaction } from '../database/transaction.js';
import type { Db } from '../entities/database.js';
import { concludeTransaction } from './conclude-transaction.js';

/** A context of the product itself, on behalf of nobody. `cause` names the work in logs and request ids. */
export function systemContext(services: Services, cause: string, db: Db = services.db): Context {
  return new Context(services, { actor: { kind: 'system', cause }, door: 'system', requestId: cause }, db);
}

/** Runs work of the product itself in one transaction, with its events and outbox rows. */
export async function asSystem<T>(services: Services, cause: string, work: (context: Context) => Promise<T>): Promise<T> {
  return inTransaction(services.db, cause, async (trx) => {
    const context = systemContext(services, cause, trx);
    const result = await work(context);
    await concludeTransaction(context);
    return result;
  });
}

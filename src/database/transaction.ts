import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs, QueryResult, RootOperationNode, UnknownRow } from 'kysely';
import type { Db } from '../entities/database.js';

/** Set while code runs inside a transaction; the embedded database has one connection, which that transaction holds. */
const openTransaction = new AsyncLocalStorage<{ name: string }>();

/**
 * Refuses a query on the pool from inside a transaction: on the embedded database it would wait for its own
 * connection for ever, on PostgreSQL it would take a second one. Kept on for both, so that tests on either find it.
 */
export class NestedUseGuard implements KyselyPlugin {
  transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    const open = openTransaction.getStore();
    if (open) throw new Error(`query outside the transaction that is open (${open.name}): use the transaction's own handle`);
    return args.node;
  }

  async transformResult(args: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return args.result;
  }
}

/** Codes after which the same transaction may simply be tried again: serialization failure, deadlock, lost connection. */
const retryable = new Set(['40001', '40P01', '57P01', '57P03', '08006', '08003', 'ECONNRESET']);
const attempts = 5;

export function isRetryable(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && retryable.has(String(error.code));
}

/** Whether a column that must not be null would have become so. */
export function isNotNullViolation(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === '23502';
}

/** Whether a unique constraint refused the write; `constraint` narrows it to one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error) || error.code !== '23505') return false;
  return constraint === undefined || ('constraint' in error && error.constraint === constraint);
}

/**
 * Runs `work` in one transaction and tries again, a bounded number of times, when the database refused it for a
 * passing reason. `work` must have no effect outside the database: effects leave through the outbox.
 */
export async function inTransaction<T>(db: Db, name: string, work: (trx: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // The guarded pool handle opens the transaction before the flag is set; the handle inside carries no guard.
      const transaction = await unguarded(db).startTransaction().execute();
      try {
        const result = await openTransaction.run({ name }, () => work(transaction));
        await transaction.commit().execute();
        return result;
      } catch (error) {
        await transaction.rollback().execute().catch(() => undefined);
        throw error;
      }
    } catch (error) {
      if (!isRetryable(error) || attempt >= attempts) throw error;
      await sleep(5 * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

const pools = new WeakMap<Db, Db>();

/** Registers the plain handle behind a guarded one. */
export function guardPool(plain: Db): Db {
  const guarded = plain.withPlugin(new NestedUseGuard());
  pools.set(guarded, plain);
  return guarded;
}

function unguarded(db: Db): Db {
  const open = openTransaction.getStore();
  if (open) throw new Error(`a transaction inside the transaction that is open (${open.name})`);
  return pools.get(db) ?? db;
}

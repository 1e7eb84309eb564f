import { setTimeout as sleep } from 'node:timers/promises';
import type {
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from 'kysely';
import type { Db } from '../entities/database.js';
import { AsyncValue } from '../event-loop/async-value.js';
import { outcomeOf } from './commit-outcome.js';
import { codeOf, DatabaseUnavailableError } from './faults.js';
import { meterTransaction } from './lane-driver.js';
import { UnknownCommitError } from './postgres-driver.js';
import type { ReadShare } from './read-memory.js';

/** Set while code runs inside a transaction; the embedded database has one connection, which that transaction holds. */
const openTransaction = new AsyncValue<OpenTransaction>();

interface OpenTransaction {
  name: string;
  share?: ReadShare | undefined;
  /** Results of work that was done outside, by its key. */
  results: ReadonlyMap<string, unknown>;
}

/** The name of the transaction that the calling code runs in; null outside of one. */
export function openTransactionName(): string | null {
  return openTransaction.get()?.name ?? null;
}

/** Thrown out of a transaction that needs the result of work which must not be done while its locks are held. */
class WorkNeeded extends Error {
  constructor(
    readonly key: string,
    readonly work: () => Promise<unknown>,
  ) {
    super(`work outside the transaction is needed: ${key.split(' ', 1)[0]}`);
  }
}

/** Most pieces of work that one transaction may turn out to need. */
const mostWork = 10;

/**
 * Does slow work, such as parsing a large text, outside a transaction. If a transaction asks for it, the transaction is
 * rolled back, the work is done, and the transaction starts again with the result at hand. `key` identifies the work
 * and everything that decides its result, because the second run may read another text; it is made only if a
 * transaction asks.
 */
export async function outsideTransaction<T>(key: string | (() => string), work: () => Promise<T>): Promise<T> {
  const open = openTransaction.get();
  if (!open) return work();
  if (typeof key === 'function') return outsideTransaction(key(), work);
  if (open.results.has(key)) return open.results.get(key) as T;
  throw new WorkNeeded(key, work);
}

/**
 * Refuses a query on the pool from inside a transaction: on the embedded database it would wait for its own
 * connection for ever, on PostgreSQL it would take a second one. Kept on for both, so that tests on either find it.
 */
export class NestedUseGuard implements KyselyPlugin {
  transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    refuseInTransaction();
    return args.node;
  }

  async transformResult(args: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return args.result;
  }
}

function refuseInTransaction(): void {
  const open = openTransaction.get();
  if (open)
    throw new Error(`query outside the transaction that is open (${open.name}): use the transaction's own handle`);
}

/** The same for a query that was compiled before, which {@link NestedUseGuard} does not see. */
export function refuseNestedUse(db: Db): void {
  if (!db.isTransaction) refuseInTransaction();
}

/**
 * Serialization failure and deadlock: the server has undone the transaction, and the same may simply be tried again.
 */
const contention = new Set(['40001', '40P01']);
const attempts = 5;

/** Whether a unique constraint refused the write; `constraint` narrows it to one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error) || error.code !== '23505') return false;
  return constraint === undefined || ('constraint' in error && error.constraint === constraint);
}

/**
 * Runs `work` in one transaction, and retries a bounded number of times if it certainly was not committed: the server
 * refused it, or the connection was lost before COMMIT was sent. If the answer to COMMIT is lost, its outcome is looked
 * up first. `work` must have no effect outside the database: effects leave through the outbox. Throws {@link
 * DatabaseUnavailableError} if the retries are used up or the outcome is unknown.
 *
 * @param share counts the rows that the transaction reads for a request; beyond its bound statements reject with
 * `too_large`
 */
export async function inTransaction<T>(
  db: Db,
  name: string,
  work: (trx: Db) => Promise<T>,
  share?: ReadShare,
): Promise<T> {
  // The guarded pool handle opens the transaction before the flag is set; the handle inside carries no guard.
  const plain = unguarded(db);
  const results = new Map<string, unknown>();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(plain, { name, results, share }, work);
    } catch (error) {
      if (error instanceof WorkNeeded && results.size < mostWork) {
        results.set(error.key, await error.work());
        attempt -= 1;
        continue;
      }
      if (!isRetryable(error)) throw error;
      if (attempt >= attempts)
        throw error instanceof DatabaseUnavailableError ? error : new DatabaseUnavailableError('overloaded', error);
      await sleep(5 * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

async function runOnce<T>(plain: Db, open: OpenTransaction, work: (trx: Db) => Promise<T>): Promise<T> {
  const transaction = await plain.startTransaction().execute();
  const meter = open.share?.transaction();
  if (meter) await meterTransaction(transaction, meter);
  let result: T;
  try {
    result = await openTransaction.run(open, () => work(transaction));
  } catch (error) {
    meter?.giveBack();
    // Gives the connection back too, broken or not (`LaneDriver`).
    await transaction.rollback().execute();
    throw error;
  }
  try {
    await transaction.commit().execute();
  } catch (error) {
    await transaction.rollback().execute();
    if (!(error instanceof UnknownCommitError)) throw error;
    const outcome = await outcomeOf(plain, error.mark);
    if (outcome === 'unknown') throw error;
    if (outcome === 'aborted') throw new DatabaseUnavailableError('lost', error.cause);
  }
  return result;
}

/** Whether failed work was undone or never begun because the database was unavailable, so that it may be retried. */
export function isRetryable(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError
    ? error.reason === 'lost' || error.reason === 'unreachable'
    : contention.has(codeOf(error));
}

const pools = new WeakMap<Db, Db>();

/** Registers the plain handle behind a guarded one. */
export function guardPool(plain: Db): Db {
  const guarded = plain.withPlugin(new NestedUseGuard());
  pools.set(guarded, plain);
  return guarded;
}

function unguarded(db: Db): Db {
  const open = openTransaction.get();
  if (open) throw new Error(`a transaction inside the transaction that is open (${open.name})`);
  return pools.get(db) ?? db;
}

import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely';
import type { Db } from '../entities/database.js';
import { inChildSpan } from '../tracing/tracing.js';
import type { LaneGate } from './lanes.js';
import type { MeteredQuery } from './metered-connection.js';
import type { RowMeter } from './read-memory.js';

/**
 * A connection in the hands of one user. Kysely queues the statements of a transaction itself and would send those
 * still waiting after its ROLLBACK, on a connection that may be another transaction's by then: they are refused here.
 */
class LentConnection implements DatabaseConnection {
  ended = false;
  released = false;
  /** Counts the rows of a transaction's statements. */
  meter: RowMeter | null = null;

  constructor(
    readonly inner: DatabaseConnection,
    readonly leave: () => void,
  ) {}

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.ended) throw new Error('a statement after the end of its transaction');
    const { meter } = this;
    return inChildSpan(
      () => spanOfStatement(query.sql),
      () => this.inner.executeQuery<R>(meter ? ({ ...query, meter } as MeteredQuery) : query),
    );
  }

  async *streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    if (this.ended) throw new Error('a statement after the end of its transaction');
    yield* this.inner.streamQuery<R>(query, chunkSize);
  }
}

const shownText = 2_000;

/** Values are parameters, so that the text holds nothing of them. */
const spanOfStatement = (text: string) => ({
  name: /\w+/.exec(text)?.[0]?.toLowerCase() ?? 'statement',
  kind: 'client' as const,
  attributes: { 'db.system.name': 'postgresql', 'db.query.text': text.trim().slice(0, shownText) },
});

/** Has the rows of all statements of a transaction counted by a meter. */
export async function meterTransaction(transaction: Pick<Db, 'getExecutor'>, meter: RowMeter): Promise<void> {
  await transaction.getExecutor().provideConnection(async (connection) => {
    if (connection instanceof LentConnection) connection.meter = meter;
  });
}

/** Puts a {@link LaneGate} in front of a driver, and releases every connection even after a failure. */
export class LaneDriver implements Driver {
  constructor(
    private readonly inner: Driver,
    private readonly gate: LaneGate,
  ) {}

  init(): Promise<void> {
    return this.inner.init();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const leave = await this.gate.enter();
    try {
      return new LentConnection(await this.inner.acquireConnection(), leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const lent = connection as LentConnection;
    if (lent.released) return;
    lent.ended = true;
    lent.released = true;
    try {
      await this.inner.releaseConnection(lent.inner);
    } finally {
      lent.leave();
    }
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const lent = connection as LentConnection;
    try {
      await this.inner.beginTransaction(lent.inner, settings);
    } catch (error) {
      // Kysely forgets the connection of a controlled transaction that could not begin.
      await this.releaseConnection(lent);
      throw error;
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const lent = connection as LentConnection;
    lent.ended = true;
    await this.inner.commitTransaction(lent.inner);
  }

  /** Never fails: a connection that cannot roll back is broken, and Kysely gives it back only after this. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const lent = connection as LentConnection;
    lent.ended = true;
    await this.inner.rollbackTransaction(lent.inner).catch(() => undefined);
  }

  destroy(): Promise<void> {
    return this.inner.destroy();
  }
}

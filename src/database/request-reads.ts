import { setMaxListeners } from 'node:events';
import type { ConnectionProvider, DatabaseConnection } from 'kysely';
import pLimit, { type LimitFunction } from 'p-limit';
import { Problem } from '../domain/problem.js';
import type { Db } from '../entities/database.js';
import { handleOver } from './handle-over.js';
import { meterRows } from './metered-connection.js';
import { NoRoomError, type ReadShare, type StatementMeter } from './read-memory.js';
import type { ReadReplica } from './read-replica.js';
import type { ReadRecorder, ReadSource } from './read-sets.js';

export interface ReadBounds {
  /** Aborted, with the error that every later statement is refused with, when the request is over. */
  signal: AbortSignal;
  /** Statements of the request that may be in the database at a time. */
  atOnce: number;
  /** Statements that the request may make in all. */
  most: number;
  /**
   * Shared by all requests of the process, where they have a share of the connections; each statement waits for its
   * turn in it.
   */
  shared?: LimitFunction | undefined;
  /** Counts the bytes of the rows that the request reads; without it they are not bounded. */
  share?: ReadShare | undefined;
}

/**
 * The reading statements of one request. Each waits until fewer than `atOnce` are in the database, and none is sent
 * after the signal aborts: waiting and running statements then reject with the signal's reason, and PostgreSQL cancels
 * the running one. Transactions do not use this class: they end on their own handle.
 */
export class RequestReads {
  /** Statements that were sent. */
  sent = 0;
  /** Statements that may be sent in all. */
  most: number;
  /** Notes the statements of the request from when it is set. */
  recorder: ReadRecorder | null = null;
  private readonly own: LimitFunction;

  constructor(private readonly bounds: ReadBounds) {
    this.own = pLimit(bounds.atOnce);
    this.most = bounds.most;
    // Every statement that waits listens.
    setMaxListeners(0, bounds.signal);
  }

  /** The handle of a database with these bounds; it cannot begin a transaction. */
  handle(db: Db): Db {
    const connections = db.getExecutor();
    return handleOver(db, { provideConnection: (consumer) => this.provide(connections, consumer) });
  }

  /** The same for reads that may be as of a moment ago: they go to a replica while it can be read. */
  lateHandle(db: Db, replica: ReadReplica): Db {
    const primary = db.getExecutor();
    const { signal } = this.bounds;
    const isFinal = (error: unknown) => signal.aborted || error instanceof Problem;
    return handleOver(db, {
      provideConnection: (consumer) =>
        replica.read(
          () => this.provide(replica.connections, consumer, { shared: replica.turns, source: 'replica' }),
          () => this.provide(primary, consumer),
          isFinal,
        ),
    });
  }

  private async provide<T>(
    connections: ConnectionProvider,
    consumer: (connection: DatabaseConnection) => Promise<T>,
    { shared = this.bounds.shared, source = 'primary' }: { shared?: LimitFunction; source?: ReadSource } = {},
  ): Promise<T> {
    const { signal } = this.bounds;
    const sent = this.own(() =>
      this.whileRoom((meter) => {
        const send = () => this.send(connections, consumer, { meter, source });
        return shared ? shared(send) : send();
      }),
    );
    // Callers waiting behind a slow statement fail at once; the place is free again when the statement ends.
    return orAborted(sent, signal);
  }

  /**
   * Sends a statement, again each time that it was cut off and there is room: it waits without a turn and a connection.
   */
  private async whileRoom<T>(send: (meter: StatementMeter | null) => Promise<T>): Promise<T> {
    const { share, signal } = this.bounds;
    if (!share) return send(null);
    for (let isRecorded = this.recorder !== null; ; isRecorded = false) {
      const meter = share.statement();
      try {
        return await send(meter);
      } catch (error) {
        const { bytes, refused } = meter;
        meter.giveBack();
        // Recorded rows arrive twice, and a reply as large as this is not kept.
        if (refused) this.recorder?.spoil('many bytes');
        if (error instanceof NoRoomError) await share.waitForRoom(bytes, signal);
        else if (!refused || !isRecorded) throw error;
      }
    }
  }

  private async send<T>(
    connections: ConnectionProvider,
    consumer: (connection: DatabaseConnection) => Promise<T>,
    { meter, source }: { meter: StatementMeter | null; source: ReadSource },
  ): Promise<T> {
    const { signal } = this.bounds;
    signal.throwIfAborted();
    if (this.sent >= this.most)
      throw new Problem(
        'too_large',
        `One request makes at most ${this.most} reads of the database; ask for fewer objects at a time`,
      );
    this.sent += 1;
    return connections.provideConnection(async (connection) => {
      signal.throwIfAborted();
      const cancel = () => void cancelStatement(connection, connections);
      signal.addEventListener('abort', cancel, { once: true });
      try {
        const metered = meter ? meterRows(connection, meter) : connection;
        return await consumer(this.recorder?.over(metered, source) ?? metered);
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    });
  }
}

/** Settles like `work`, or rejects with the signal's reason as soon as the signal aborts. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/**
 * Asks PostgreSQL to cancel the statement of a connection; does nothing if it has ended meanwhile. The embedded
 * database cannot cancel.
 */
async function cancelStatement(connection: DatabaseConnection, connections: ConnectionProvider): Promise<void> {
  if (!connection.cancelQuery) return;
  try {
    await connection.collectSessionInfo?.();
    await connection.cancelQuery(connections.provideConnection.bind(connections));
  } catch {
    // The statement's own timeout ends it then.
  }
}

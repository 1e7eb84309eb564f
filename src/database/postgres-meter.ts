import type { Socket } from 'node:net';
import pg from 'pg';
import type { RowMeter } from './read-memory.js';

/** Bytes of a statement that was cut off that are received and dropped, before the connection is cut instead. */
const droppedBytes = 4 * 1024 * 1024;

/** What the driver's query has and its types leave out. */
interface Rows {
  _result: { rows: unknown[] };
  handleDataRow(message: unknown): void;
}

const handleDataRow = (pg.Query.prototype as unknown as Rows).handleDataRow;

/** A query whose rows can be dropped while they still arrive. */
class DroppableQuery extends pg.Query {
  private isDropped = false;

  /** Drops the rows that have arrived and those to come. */
  drop(): void {
    this.isDropped = true;
    (this as unknown as Rows)._result.rows = [];
  }

  handleDataRow(message: unknown): void {
    if (!this.isDropped) handleDataRow.call(this, message);
  }
}

/**
 * Sends a query, and counts its bytes as they arrive, before rows are built of them. Once the meter refuses, the rows
 * are dropped, and the promise rejects with the meter's error when the database has sent the rest. If the rest is long,
 * the connection is cut and `onCut` is called: to ask the server for an end takes another connection, and could end the
 * statement of another user.
 */
export async function queryWithMeter(
  client: pg.PoolClient,
  config: pg.QueryConfig,
  meter: RowMeter,
  onCut: (reason: Error) => void,
): Promise<pg.QueryResult> {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  const query = new DroppableQuery(config);
  // As the driver takes it from the configuration.
  Object.assign(query, { query_timeout: (config as { query_timeout?: number }).query_timeout });
  let refusal: Error | null = null;
  let dropped = 0;
  const count = (piece: Buffer) => {
    if (!refusal) {
      refusal = meter.arrived(piece.length);
      if (refusal) query.drop();
      return;
    }
    dropped += piece.length;
    if (!meter.mayDisconnect || dropped <= droppedBytes || stream.destroyed) return;
    onCut(refusal);
    stream.destroy();
  };
  // Before the driver, which reads rows out of the piece.
  stream.prependListener('data', count);
  try {
    const result = await answerTo(client, query);
    if (refusal) throw refusal as Error;
    return result;
  } catch (error) {
    throw refusal ?? error;
  } finally {
    stream.off('data', count);
  }
}

function answerTo(client: pg.PoolClient, query: pg.Query): Promise<pg.QueryResult> {
  return new Promise<pg.QueryResult>((resolve, reject) => {
    const send = client.query.bind(client) as (
      query: pg.Query,
      callback: (error: Error | null, result: pg.QueryResult) => void,
    ) => void;
    send(query, (error, result) => (error ? reject(error) : resolve(result)));
  }).catch((error: Error) => {
    // Where the statement was sent says more than where its answer was read.
    Error.captureStackTrace(error);
    throw error;
  });
}

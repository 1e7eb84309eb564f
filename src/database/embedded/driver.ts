import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely';
import { serialize } from 'pg-protocol/dist/serializer.js';
import { prepareValue } from 'pg/lib/utils.js';
import { nextTurn } from '../../event-loop/turns.js';
import { codeOf, DatabaseUnavailableError, faultOf } from '../faults.js';
import type { MeteredQuery } from '../metered-connection.js';
import type { RowMeter } from '../read-memory.js';
import { type EmbeddedDatabase, EmbeddedDatabaseEnded, type Exchanged } from './embedded-database.js';
import { type ColumnType, readReply, readRows, type Reply, type RowsOfBlock } from './protocol.js';

/** A statement that the database has parsed, by the name it has there. */
interface Prepared {
  /** Empty for one that is not kept. */
  name: string;
  columns: readonly ColumnType[];
}

/** Statements kept parsed at most, and the longest text of one, in characters. */
const mostPrepared = 250;
const longestPrepared = 20_000;
/** Milliseconds of a transaction, what its caller does between statements included, after which others have a turn. */
const turnMs = 20;
/** Bytes of rows that are read before others have a turn. */
const readBetweenTurns = 512 * 1024;

/** A prepared statement is gone, or its tables are no longer what they were. */
const outdated = new Set(['26000', '0A000']);

/** Names of parsed statements are those of one session, which several connections may share. */
let names = 0;

const [execute, sync] = [serialize.execute({}), serialize.sync()];

/** A transaction that holds the database. */
interface Held {
  leave(): void;
  /** What begins it: sent along with its first statement; null since then. */
  begin: Uint8Array | null;
}

/**
 * The embedded database's one connection. A statement stays parsed under a name and takes one exchange; BEGIN goes
 * along with the first statement of its transaction, and a transaction without one sends nothing.
 */
class EmbeddedConnection implements DatabaseConnection {
  private readonly prepared = new Map<string, Prepared>();
  private held: Held | null = null;
  /** When this connection last gave the event loop a turn, as `performance.now` tells it. */
  private turnedAt = 0;

  constructor(private readonly database: EmbeddedDatabase) {}

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.held) return this.run<R>(query, this.held);
    // The database runs in this thread, and a loop of statements would starve timers and sockets.
    await this.giveTurn();
    return this.database.alone(async () => {
      try {
        return await this.run<R>(query, null);
      } catch (error) {
        if (!outdated.has(codeOf(error))) throw error;
        return this.run<R>(query, null);
      }
    });
  }

  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('rows are not streamed: read a bounded page');
  }

  async begin(settings: TransactionSettings): Promise<void> {
    const begin = beginning(settings);
    await this.giveTurn();
    await new Promise<void>((resolve, reject) => {
      this.database
        .alone(
          () =>
            new Promise<void>((leave) => {
              this.held = { leave, begin };
              resolve();
            }),
        )
        .catch(reject);
    });
  }

  /** PostgreSQL answers COMMIT of a transaction that failed before with ROLLBACK and no error: that is one here. */
  async commit(): Promise<void> {
    const { held } = this;
    if (!held) throw new Error('no transaction is open');
    if (held.begin) return this.end();
    const command = await this.sendCommit();
    this.end();
    if (command === 'ROLLBACK')
      throw new Error(
        'the transaction was rolled back: one of its statements had failed and the failure was passed over',
      );
  }

  /** Sends COMMIT and gives the command that the database carried out; it may have ended before it said so. */
  private async sendCommit(): Promise<string> {
    try {
      return (await this.plain('commit')).command;
    } catch (error) {
      throw error instanceof DatabaseUnavailableError && error.cause instanceof EmbeddedDatabaseEnded
        ? new DatabaseUnavailableError('unconfirmed', error.cause)
        : error;
    }
  }

  async rollback(): Promise<void> {
    const { held } = this;
    if (!held) return;
    try {
      if (!held.begin) await this.plain('rollback');
    } finally {
      this.end();
    }
  }

  private end(): void {
    this.held?.leave();
    this.held = null;
  }

  private async run<R>({ sql: text, parameters, meter }: MeteredQuery, held: Held | null): Promise<QueryResult<R>> {
    const messages = held?.begin ? [held.begin] : [];
    const values = parameters.map((value) => prepareValue(value));
    const known = this.known(text);
    const name = known?.name ?? this.parse(text, messages);
    messages.push(serialize.bind({ statement: name, values }), execute, sync);
    if (held) held.begin = null;
    const { blocks, refusal } = await this.exchange(messages, meter);
    const reply = readReply(blocks);
    blocks.length = 0;
    const columns = known?.columns ?? reply.columns ?? [];
    if (!known && name && reply.columns) this.prepared.set(text, { name, columns });
    if (refusal) throw refusal;
    if (reply.error) {
      if (outdated.has(codeOf(reply.error))) this.prepared.delete(text);
      throw faultOf(reply.error);
    }
    return { rows: await this.readRows<R>(reply.rows, columns), ...changesOf(reply.command) };
  }

  /**
   * Reads the rows of a reply; those of a large one with turns of the event loop between. Each block is given up when
   * its rows are read, so that a reply is not in memory twice.
   */
  private async readRows<R>(blocks: RowsOfBlock[], columns: readonly ColumnType[]): Promise<R[]> {
    const [only] = blocks;
    if (!only) return [];
    if (blocks.length === 1) return readRows<R>(only, columns);
    const rows: R[] = [];
    let sinceTurn = 0;
    for (let block = blocks.shift(); block; block = blocks.shift()) {
      for (const row of readRows<R>(block, columns)) rows.push(row);
      sinceTurn += block.bytes.length;
      if (sinceTurn < readBetweenTurns) continue;
      await nextTurn();
      sinceTurn = 0;
    }
    return rows;
  }

  /** The statement if it is parsed; it is the last one to be dropped then. */
  private known(text: string): Prepared | undefined {
    const statement = this.prepared.get(text);
    if (!statement) return undefined;
    this.prepared.delete(text);
    this.prepared.set(text, statement);
    return statement;
  }

  /** Adds what has a statement parsed; gives the name, empty for one that is not kept. */
  private parse(text: string, messages: Uint8Array[]): string {
    const name = text.length <= longestPrepared ? `slipway_${(names += 1)}` : '';
    const [oldest] = name && this.prepared.size >= mostPrepared ? this.prepared : [];
    if (oldest) {
      this.prepared.delete(oldest[0]);
      messages.push(serialize.close({ type: 'S', name: oldest[1].name }));
    }
    messages.push(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }));
    return name;
  }

  /** A statement without parameters and rows that need not stay parsed. */
  private async plain(text: string): Promise<Reply> {
    const reply = readReply((await this.exchange([serialize.query(text)])).blocks);
    if (reply.error) throw faultOf(reply.error);
    return reply;
  }

  private async exchange(messages: readonly Uint8Array[], meter?: RowMeter): Promise<Exchanged> {
    // Statements in a row follow one another without a turn of the event loop: a transaction of many, and the rows that
    // are made for them, would hold up everybody.
    if (performance.now() - this.turnedAt > turnMs) await this.giveTurn();
    try {
      return await this.database.exchange(messages, meter);
    } catch (error) {
      throw error instanceof EmbeddedDatabaseEnded ? new DatabaseUnavailableError('ended', error) : error;
    }
  }

  private async giveTurn(): Promise<void> {
    await nextTurn();
    this.turnedAt = performance.now();
  }
}

const beginnings = new Map<string, Uint8Array>();

/**
 * The messages that begin a transaction; there are as many as transactions have settings. Transactions that write find
 * and lock rows by their keys, so any values have the same plan, and planning such a statement costs more than running
 * it. Lists, whose plans depend on values, are read outside of them.
 */
function beginning({ isolationLevel, accessMode }: TransactionSettings): Uint8Array {
  const isolation = isolationLevel ? ` isolation level ${isolationLevel}` : '';
  const begin = `begin${isolation}${accessMode ? ` ${accessMode}` : ''}`;
  let messages = beginnings.get(begin);
  if (!messages) {
    const texts = accessMode === 'read only' ? [begin] : [begin, 'set local plan_cache_mode to auto'];
    messages = Buffer.concat(texts.flatMap((text) => [serialize.parse({ text }), serialize.bind({}), execute]));
    beginnings.set(begin, messages);
  }
  return messages;
}

/** The number of rows that an INSERT, UPDATE, DELETE or MERGE says it changed: the last word of its tag. */
function changesOf(command: string): { numAffectedRows?: bigint } {
  const words = command.split(' ');
  return /^(?:INSERT|UPDATE|DELETE|MERGE)$/.test(words[0] ?? '') ? { numAffectedRows: BigInt(words.at(-1) ?? 0) } : {};
}

/** Kysely's driver of the embedded database. The code that opened the database closes it. */
export class EmbeddedDriver implements Driver {
  private readonly connection: EmbeddedConnection;

  constructor(database: EmbeddedDatabase) {
    this.connection = new EmbeddedConnection(database);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<EmbeddedConnection> {
    return this.connection;
  }

  /** Ends a transaction that nobody ended, which would keep everybody else out. */
  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return (connection as EmbeddedConnection).rollback();
  }

  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    return (connection as EmbeddedConnection).begin(settings);
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as EmbeddedConnection).commit();
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as EmbeddedConnection).rollback();
  }

  async destroy(): Promise<void> {}
}

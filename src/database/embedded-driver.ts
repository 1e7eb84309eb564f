import { setImmediate as nextTurn } from 'node:timers/promises';
import { type messages as Messages, type PGlite, protocol } from '@electric-sql/pglite';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely';
import { codeOf } from './faults.js';

type Message = Awaited<ReturnType<PGlite['execProtocolStream']>>[number];

/** A statement that the database has parsed, by the name it has there. */
interface Prepared {
  /** Empty for one that is not kept. */
  name: string;
  /** Types of its parameters and columns, as PostgreSQL numbers them. */
  parameterTypes: readonly number[];
  columns: readonly { name: string; dataTypeID: number }[];
}

/** Statements kept parsed at most, and the longest text of one, in characters. */
const mostPrepared = 250;
const longestPrepared = 20_000;

/** A prepared statement is gone, or its tables are no longer what they were. */
const outdated = new Set(['26000', '0A000']);

const { serialize } = protocol;

/**
 * The embedded database's one connection. PGlite's own `query` calls into WebAssembly six times for each statement and
 * has it parsed anew; here a statement stays parsed under a name and takes one call, a third of the CPU or less.
 */
class EmbeddedConnection implements DatabaseConnection {
  private readonly prepared = new Map<string, Prepared>();
  private names = 0;
  /** Ends the transaction's hold of the database. */
  private leave: (() => void) | null = null;

  constructor(private readonly pglite: PGlite) {}

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.leave) return this.run<R>(sql, parameters);
    // The database runs in this thread, and a loop of statements would starve timers and sockets.
    await nextTurn();
    return this.pglite._runExclusiveTransaction(async () => {
      try {
        return await this.run<R>(sql, parameters);
      } catch (error) {
        if (!outdated.has(codeOf(error))) throw error;
        return this.run<R>(sql, parameters);
      }
    });
  }

  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('rows are not streamed: read a bounded page');
  }

  async begin({ isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    await nextTurn();
    await new Promise<void>((resolve, reject) => {
      this.pglite
        ._runExclusiveTransaction(
          () =>
            new Promise<void>((leave) => {
              this.leave = leave;
              resolve();
            }),
        )
        .catch(reject);
    });
    const isolation = isolationLevel ? ` isolation level ${isolationLevel}` : '';
    try {
      await this.simple(`begin${isolation}${accessMode ? ` ${accessMode}` : ''}`);
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** PostgreSQL answers COMMIT of a transaction that failed before with ROLLBACK and no error: that is one here. */
  async commit(): Promise<void> {
    const messages = await this.simple('commit');
    await this.pglite.syncToFs();
    this.end();
    if (commandOf(messages) === 'ROLLBACK')
      throw new Error(
        'the transaction was rolled back: one of its statements had failed and the failure was passed over',
      );
  }

  async rollback(): Promise<void> {
    if (!this.leave) return;
    try {
      await this.simple('rollback');
    } finally {
      this.end();
    }
  }

  private end(): void {
    this.leave?.();
    this.leave = null;
  }

  private simple(text: string): Promise<Message[]> {
    return this.send([serialize.query(text)]);
  }

  private async run<R>(text: string, parameters: readonly unknown[]): Promise<QueryResult<R>> {
    const statement = this.known(text) ?? (await this.prepare(text));
    let messages: Message[];
    try {
      const values = parameters.map((value, index) => this.serialized(value, statement.parameterTypes[index] ?? 0));
      messages = await this.send(
        [serialize.bind({ statement: statement.name, values }), serialize.execute({}), serialize.sync()],
        !this.leave,
      );
    } catch (error) {
      if (outdated.has(codeOf(error))) this.prepared.delete(text);
      throw error;
    }
    return { rows: this.rowsOf<R>(messages, statement), ...changesOf(messages) };
  }

  /** The statement if it is parsed; it is the last one to be dropped then. */
  private known(text: string): Prepared | undefined {
    const statement = this.prepared.get(text);
    if (!statement) return undefined;
    this.prepared.delete(text);
    this.prepared.set(text, statement);
    return statement;
  }

  private async prepare(text: string): Promise<Prepared> {
    const keep = text.length <= longestPrepared;
    const name = keep ? `slipway_${(this.names += 1)}` : '';
    const messages = await this.send([
      ...(keep ? this.makeRoom() : []),
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    ]);
    const statement: Prepared = { name, parameterTypes: [], columns: [] };
    for (const message of messages) {
      if (message.name === 'parameterDescription')
        statement.parameterTypes = (message as Messages.ParameterDescriptionMessage).dataTypeIDs;
      if (message.name === 'rowDescription') statement.columns = (message as Messages.RowDescriptionMessage).fields;
    }
    if (keep) this.prepared.set(text, statement);
    return statement;
  }

  /** What closes the statement whose last use is longest ago, once there are as many as may be. */
  private makeRoom(): Uint8Array[] {
    const [oldest] = this.prepared.size >= mostPrepared ? this.prepared : [];
    if (!oldest) return [];
    this.prepared.delete(oldest[0]);
    return [serialize.close({ type: 'S', name: oldest[1].name })];
  }

  /** Sends messages in one call; throws the first error of their replies once all are through. */
  private send(parts: Uint8Array[], syncToFs = false): Promise<Message[]> {
    return this.pglite.runExclusive(() => this.pglite.execProtocolStream(Buffer.concat(parts), { syncToFs }));
  }

  private serialized(value: unknown, type: number): string | null {
    if (value === null || value === undefined) return null;
    const serializer = this.pglite.serializers[type];
    return serializer ? serializer(value) : String(value);
  }

  private rowsOf<R>(messages: readonly Message[], { columns }: Prepared): R[] {
    const parsers = columns.map(({ dataTypeID }) => this.pglite.parsers[dataTypeID]);
    const rows: R[] = [];
    for (const message of messages) {
      if (message.name !== 'dataRow') continue;
      const { fields } = message as Messages.DataRowMessage;
      const row: Record<string, unknown> = {};
      columns.forEach(({ name, dataTypeID }, index) => {
        const text = fields[index] ?? null;
        const parse = parsers[index];
        row[name] = text === null || !parse ? text : parse(text, dataTypeID);
      });
      rows.push(row as R);
    }
    return rows;
  }
}

const completed = (messages: readonly Message[]) =>
  (messages.find(({ name }) => name === 'commandComplete') as Messages.CommandCompleteMessage | undefined)?.text ?? '';

const commandOf = (messages: readonly Message[]) => completed(messages).split(' ', 1)[0] ?? '';

/** The number of rows that an INSERT, UPDATE, DELETE or MERGE says it changed: the last word of its tag. */
function changesOf(messages: readonly Message[]): { numAffectedRows?: bigint } {
  const words = completed(messages).split(' ');
  return /^(?:INSERT|UPDATE|DELETE|MERGE)$/.test(words[0] ?? '') ? { numAffectedRows: BigInt(words.at(-1) ?? 0) } : {};
}

/** Kysely's driver of the embedded database. The code that opened the database closes it. */
export class EmbeddedDriver implements Driver {
  private readonly connection: EmbeddedConnection;

  constructor(pglite: PGlite) {
    this.connection = new EmbeddedConnection(pglite);
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

import { Socket } from 'node:net';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import pg from 'pg';
import { breaksConnection, codeOf, DatabaseUnavailableError, faultOf, isRefusedByServer, isSilence } from './faults.js';
import { statementPatience } from './lanes.js';
import type { MeteredQuery } from './metered-connection.js';
import { queryWithMeter } from './postgres-meter.js';
import type { RowMeter } from './read-memory.js';

/** A compiled query that PostgreSQL keeps parsed on each connection that has run it, if it has a name. */
export interface NamedQuery extends CompiledQuery {
  statementName?: string;
}

/** Identifies a transaction after its connection is gone. */
export interface TransactionMark {
  /** The server's number of the transaction. */
  xid: string;
  /** Changes when the server recovers from a crash, after which a transaction number may be reused. */
  incarnation: string;
}

/** COMMIT was sent and its answer is lost: the transaction may have been committed. */
export class UnknownCommitError extends DatabaseUnavailableError {
  constructor(
    readonly mark: TransactionMark,
    cause: unknown,
  ) {
    super('unconfirmed', cause);
  }
}

export interface PostgresOptions {
  url: string;
  size: number;
  /** Milliseconds a statement and the wait for a lock may take; null for no limit, as migrations need. */
  timeouts: { statement: number; lock: number } | null;
  /**
   * Called when connections lead to a server that has recovered from a crash, or to another one: it may lack the last
   * changes.
   */
  onRecovery?: (() => void) | undefined;
}

/** Bytes up to which the messages of one statement are put together before they are written. */
const joinedBytes = 64 * 1024;

/**
 * A socket that writes the few small messages of a statement as one piece: the kernel takes longer over many pieces.
 */
class JoiningSocket extends Socket {
  override _writev(chunks: { chunk: Buffer; encoding: BufferEncoding }[], done: (error?: Error | null) => void): void {
    const buffers = chunks.map(({ chunk, encoding }) =>
      typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk,
    );
    if (buffers.reduce((sum, { length }) => sum + length, 0) <= joinedBytes)
      this._write(Buffer.concat(buffers), 'buffer' as BufferEncoding, done);
    else super._writev?.(chunks, done);
  }
}

/** Milliseconds until a connection must be open, and by which the server's own limit of a statement is overdue. */
const connectWithin = 5_000;
const graceMs = 5_000;

/** The server's number of the open transaction. */
const readMark = 'select pg_current_xact_id()::text as xid';

/**
 * Settings of a session. They are not options of its startup message, which poolers refuse or ignore, and which the
 * operator's own in the URL would replace. Statements over many groups take longer to compile than to run: one of 50 ms
 * took 1.6 s.
 */
function settingsOf(timeouts: PostgresOptions['timeouts']): string {
  const { statement = 0, lock = 0 } = timeouts ?? {};
  const idle = timeouts ? 60_000 : 0;
  return [
    `set timezone to 'UTC'; set jit to off; set lock_timeout to ${lock}; set statement_timeout to ${statement}`,
    `set idle_in_transaction_session_timeout to ${idle}`,
  ].join('; ');
}

/** Statistics are reset when a server recovers from a crash, and this one column every role may read. */
const readIncarnation = `select coalesce(stats_reset::text, '') as incarnation from pg_stat_bgwriter`;

class PostgresConnection implements DatabaseConnection {
  mark: TransactionMark | null = null;
  /** Set once the connection must not be handed out again. */
  broken: Error | null = null;

  readonly openedAt = performance.now();
  /** When the last statement was sent. */
  sentAt = 0;
  /** Whether a migration has changed a table under a statement that the server keeps for this connection. */
  outdated = false;
  inTransaction = false;
  private open = false;
  /** The statements that begin a transaction, until its first statement takes them along. */
  private beginning: { text: string; marked: boolean } | null = null;

  constructor(
    readonly client: pg.PoolClient,
    readonly incarnation: string,
  ) {}

  /**
   * Begins a transaction with its first statement, in one round trip. `marked`: {@link mark} is its number as soon as
   * that statement is answered.
   */
  begin(text: string, { marked }: { marked: boolean }): void {
    this.mark = null;
    this.inTransaction = marked;
    this.open = true;
    this.beginning = { text, marked };
  }

  /** Ends the transaction for its user; false if it never began, so that the server knows of none. */
  leave(): boolean {
    const began = this.beginning === null;
    this.beginning = null;
    this.inTransaction = false;
    this.open = false;
    return began;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { command, rowCount, rows } = await this.query(query.sql, query.parameters as unknown[], {
      name: (query as NamedQuery).statementName ?? (this.inTransaction ? nameOfRepeated(query.sql) : undefined),
      meter: (query as MeteredQuery).meter,
    });
    const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE';
    return { rows: (rows ?? []) as R[], ...(changes ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) };
  }

  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('rows are not streamed: read a bounded page');
  }

  /**
   * Runs a statement. An error that breaks the connection marks it; an unreachable database becomes
   * {@link DatabaseUnavailableError}.
   */
  async query(
    text: string,
    values?: unknown[],
    { name, meter }: { name?: string | undefined; meter?: RowMeter | undefined } = {},
  ): Promise<pg.QueryResult> {
    this.sentAt = performance.now();
    const config = withPatience(text, values);
    if (name !== undefined) config.name = name;
    try {
      const { beginning } = this;
      this.beginning = null;
      return await (beginning ? this.beginWith(beginning, config, meter) : this.send(config, meter));
    } catch (error) {
      if (name === undefined || !gone.has(codeOf(error))) throw this.fault(error);
      // What the server keeps under the name is not this statement any more: on another connection it is.
      this.broken = error as Error;
      this.outdated = codeOf(error) === changedTable;
      if (this.open) throw new DatabaseUnavailableError('lost', error);
    }
    // Nothing was carried out. Without a name it has nothing to do with what the server keeps.
    try {
      return await this.send(withPatience(text, values), meter);
    } catch (error) {
      throw this.fault(error);
    }
  }

  /**
   * Sends a statement. One whose rows its meter refuses rejects with the meter's error, and may cost the connection.
   */
  private send(config: pg.QueryConfig, meter: RowMeter | undefined): Promise<pg.QueryResult> {
    if (!meter) return this.client.query(config);
    return queryWithMeter(this.client, config, meter, (reason) => (this.broken = reason));
  }

  private async beginWith(
    { text, marked }: { text: string; marked: boolean },
    first: pg.QueryConfig,
    meter: RowMeter | undefined,
  ): Promise<pg.QueryResult> {
    const { stream } = (this.client as unknown as { connection: { stream: Socket } }).connection;
    stream.cork();
    const sent = [this.client.query(withPatience(marked ? `${text}; ${readMark}` : text)), this.send(first, meter)];
    stream.uncork();
    const [begun, result] = (await Promise.allSettled(sent)) as [
      PromiseSettledResult<unknown>,
      PromiseSettledResult<pg.QueryResult>,
    ];
    // That the statement failed too follows from that.
    if (begun.status === 'rejected') throw begun.reason;
    if (marked) {
      const [, read] = begun.value as pg.QueryResult<{ xid: string }>[];
      this.mark = { xid: read?.rows[0]?.xid ?? '', incarnation: this.incarnation };
    }
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  }

  fault(error: unknown): unknown {
    if (breaksConnection(error)) this.broken = error as Error;
    return faultOf(error);
  }
}

/** Uses of a text in transactions after which it gets a name, and how many texts are counted and get one. */
const usesBeforeName = 5;
const textsCounted = 500;
const textsNamed = 100;
const longestNamed = 10_000;
const uses = new Map<string, number>();
const namesOfRepeated = new Map<string, string>();

/**
 * The name of a text that transactions send again and again. They find and lock rows by their keys, so any values have
 * the same plan, and planning such a statement costs more than running it. Lists, whose plans depend on values, are
 * read outside transactions.
 */
function nameOfRepeated(text: string): string | undefined {
  const known = namesOfRepeated.get(text);
  if (known !== undefined || text.length > longestNamed || namesOfRepeated.size >= textsNamed) return known;
  const count = (uses.get(text) ?? 0) + 1;
  if (count < usesBeforeName) {
    if (uses.size >= textsCounted) uses.clear();
    uses.set(text, count);
    return undefined;
  }
  uses.delete(text);
  const name = `repeated-${namesOfRepeated.size}`;
  namesOfRepeated.set(text, name);
  return name;
}

/** A migration has changed a table of a prepared statement. */
const changedTable = '0A000';
/** The same, or a prepared statement is gone. */
const gone = new Set(['26000', changedTable]);

/** The driver has a limit for one statement, which its types leave out. */
function withPatience(text: string, values?: unknown[], patience = statementPatience()): pg.QueryConfig {
  const config: pg.QueryConfig & { query_timeout?: number } = { text };
  if (values) config.values = values;
  if (patience !== undefined) config.query_timeout = patience;
  return config;
}

/** Connections to PostgreSQL. The pool has no queue, because callers request at most as many connections as it has. */
export class PostgresDriver implements Driver {
  private readonly pool: pg.Pool;
  /** Connections opened before are not used again. */
  private suspectBefore = 0;
  private readonly connections = new WeakMap<pg.PoolClient, PostgresConnection>();
  /** That of the server as the last connection found it. */
  private incarnation: string | null = null;
  private readonly onRecovery: PostgresOptions['onRecovery'];
  private readonly settings: string;

  constructor({ url, size, timeouts, onRecovery }: PostgresOptions) {
    this.onRecovery = onRecovery;
    this.settings = settingsOf(timeouts);
    const types = new pg.TypeOverrides();
    // As the embedded database hands them over; the conversion of rows makes dates of them.
    const { DATE, TIMESTAMP, TIMESTAMPTZ, INTERVAL } = pg.types.builtins;
    for (const type of [DATE, TIMESTAMP, TIMESTAMPTZ, INTERVAL]) types.setTypeParser(type, (text) => text);
    this.pool = new pg.Pool({
      connectionString: url,
      max: size,
      types,
      connectionTimeoutMillis: connectWithin,
      idleTimeoutMillis: 30_000,
      // The far end may be gone without a word, and its limit with it.
      ...(timeouts ? { query_timeout: timeouts.statement + graceMs } : {}),
      stream: () => new JoiningSocket(),
      // A statement need not wait for the answer to the BEGIN before it.
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    // Without these two the loss of an idle connection, or of one in use, would end the process. The pool has
    // discarded the idle one by now; the statement under way on the other fails by itself.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    for (;;) {
      const connection = await this.connect();
      if (connection.openedAt >= this.suspectBefore) return connection;
      connection.client.release(true);
    }
  }

  private async connect(): Promise<PostgresConnection> {
    let client: pg.PoolClient;
    try {
      client = await this.pool.connect();
    } catch (error) {
      const fault = faultOf(error);
      throw fault instanceof DatabaseUnavailableError && fault.reason === 'lost'
        ? new DatabaseUnavailableError('unreachable', error)
        : fault;
    }
    const known = this.connections.get(client);
    if (known) return known;
    try {
      // One round trip for all; the driver answers several statements with as many results.
      const results = (await client.query(
        withPatience(`${this.settings}; ${readIncarnation}`, undefined, connectWithin),
      )) as unknown as pg.QueryResult<{ incarnation: string }>[];
      const connection = new PostgresConnection(client, results.at(-1)?.rows[0]?.incarnation ?? '');
      if (this.incarnation !== null && this.incarnation !== connection.incarnation) this.onRecovery?.();
      this.incarnation = connection.incarnation;
      this.connections.set(client, connection);
      return connection;
    } catch (error) {
      client.release(true);
      throw faultOf(error);
    }
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const { client, broken, sentAt, outdated } = connection as PostgresConnection;
    // One that fell silent is seldom alone: an address moved, or something between forgot them all.
    if (isSilence(broken)) this.suspectBefore = Math.max(this.suspectBefore, sentAt);
    // The others keep the same statement: a transaction would meet them one after the other until its tries are over.
    if (outdated) this.suspectBefore = performance.now();
    client.release(broken ?? undefined);
  }

  /**
   * BEGIN goes with the first statement, and asks for the transaction's number: {@link outcomeOf} finds it again by
   * that. A transaction without a statement never reaches the server.
   */
  async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const begin = [
      'begin',
      ...(isolationLevel ? [`isolation level ${isolationLevel}`] : []),
      ...(accessMode ? [accessMode] : []),
    ].join(' ');
    (connection as PostgresConnection).begin(begin, { marked: accessMode !== 'read only' });
  }

  /**
   * Throws {@link UnknownCommitError} where the answer is lost. PostgreSQL answers COMMIT of a transaction that failed
   * before with ROLLBACK and no error: that is one here.
   */
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const own = connection as PostgresConnection;
    let result: pg.QueryResult;
    if (!own.leave()) return;
    try {
      result = await own.client.query('commit');
    } catch (error) {
      const fault = own.fault(error);
      if (isRefusedByServer(error) || !own.mark) throw fault;
      own.broken ??= error as Error;
      throw new UnknownCommitError(own.mark, error);
    }
    if (result.command === 'ROLLBACK')
      throw new Error(
        'the transaction was rolled back: one of its statements had failed and the failure was passed over',
      );
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const own = connection as PostgresConnection;
    if (!own.leave() || own.broken) return;
    try {
      await own.client.query('rollback');
    } catch (error) {
      // Its state is unknown, so no other caller may get it.
      own.broken = error as Error;
    }
  }

  async destroy(): Promise<void> {
    await this.pool.end();
  }
}

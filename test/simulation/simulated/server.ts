import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type pg from 'pg';
import { exchange } from '../../../src/database/embedded/embedded-database.js';
import { LaneDriver } from '../../../src/database/lane-driver.js';
import { LaneGate } from '../../../src/database/lanes.js';
import { PostgresDriver } from '../../../src/database/postgres-driver.js';
import { RowConversionPlugin } from '../../../src/database/row-conversion.js';
import { guardPool } from '../../../src/database/transaction.js';
import type { Database, Db } from '../../../src/entities/database.js';
import type { Faults } from '../faults.js';
import { type Message, messagesIn, named, reply, textOf, unnamed } from '../wire.js';

/** Statements that stay prepared; with their texts they would grow without end. */
const preparedAtMost = 2_000;

/**
 * The embedded database in the place of a PostgreSQL server: connections break and answers get lost on their way, by
 * faults. What speaks to it is the product's own driver with the real client, from a socket on, so that everything
 * above, the question what became of an unanswered COMMIT included, is the code that runs on PostgreSQL.
 */
export class SimulatedServer {
  private readonly prepared = new Map<string, string>();
  /** How many processes have connected; only the latest lives. */
  private processes = 0;

  constructor(
    private readonly pglite: PGlite,
    private readonly faults: Faults,
  ) {}

  /** A new process's handle on this server. */
  connect(): Db {
    const plain = new Kysely<Database>({
      dialect: {
        createDriver: () => new LaneDriver(this.driver(), new LaneGate(1)),
        createAdapter: () => new PostgresAdapter(),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createIntrospector: (db) => new PostgresIntrospector(db),
      },
    });
    return guardPool(plain.withPlugin(new RowConversionPlugin()));
  }

  /** The product's driver; the sockets of its pool lead here. */
  private driver(): PostgresDriver {
    const driver = new PostgresDriver({ url: 'postgres://simulated@localhost/simulated', size: 1, timeouts: null });
    const pool = Reflect.get(driver, 'pool') as pg.Pool;
    const process = ++this.processes;
    const stream = () => new SimulatedSocket((messages) => this.answer(process, messages));
    Object.assign(pool.options, { stream, ssl: false });
    return driver;
  }

  /**
   * Answers the messages of a process up to a Sync, or a simple query; null where the process has died and nobody
   * waits. What a dead process had sent behind the statement at which it died has no effect either, also once the next
   * process runs. Rejects where the connection breaks.
   */
  private async answer(process: number, messages: readonly Message[]): Promise<Uint8Array | null> {
    // Hundreds of statements in a row would keep timers and the test runner waiting.
    await nextTurn();
    if (process !== this.processes) return null;
    const { faults, pglite } = this;
    const text = textOf(messages);
    const undo = () => pglite.exec('rollback');
    const outcome = await faults.statement(text, () => this.execute(messages, text), undo);
    if (outcome === 'dead') return null;
    if (outcome === 'conflict') return reply.error('40001', 'could not serialize access due to concurrent update');
    return faults.incarnation === 0 ? outcome : reply.withIncarnation(outcome, faults.incarnation);
  }

  /** Parses each text once: that is most of what a statement costs. */
  private async execute(messages: readonly Message[], text: string): Promise<Uint8Array> {
    const send = async (bytes: Uint8Array) => Buffer.concat((await exchange(this.pglite, bytes)).blocks);
    if (messages[0]?.type !== 'P') return send(Buffer.concat(messages.map(({ bytes }) => bytes)));
    const known = this.prepared.get(text);
    if (known === undefined && this.prepared.size >= preparedAtMost) {
      // Its own ones alone: the world's handle has statements in the same session.
      await this.pglite.exec([...this.prepared.values()].map((name) => `deallocate ${name}`).join(';'));
      this.prepared.clear();
    }
    const name = known ?? `s${this.prepared.size}`;
    const sent = named(messages, name, known !== undefined);
    const answer = await send(sent);
    if (known !== undefined) return reply.afterParse(answer);
    if (reply.isParsed(answer)) this.prepared.set(text, name);
    return answer;
  }
}

/** A connection to the server above, as the PostgreSQL client uses a socket. */
class SimulatedSocket extends Duplex {
  private buffered: Buffer = Buffer.alloc(0);
  private batch: Message[] = [];
  private started = false;
  private readonly statements = new Map<string, Buffer>();

  /** `answer`: what the server says to messages, null for nothing. */
  constructor(private readonly answer: (messages: readonly Message[]) => Promise<Uint8Array | null>) {
    super();
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  setNoDelay = () => this;
  setKeepAlive = () => this;
  ref = () => this;
  unref = () => this;

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.buffered = this.buffered.length === 0 ? chunk : Buffer.concat([this.buffered, chunk]);
    this.consume().then(
      () => done(),
      (error: Error) => this.destroy(error),
    );
  }

  private async consume(): Promise<void> {
    if (!this.started && this.buffered.length >= 4) {
      this.started = true;
      this.buffered = this.buffered.subarray(this.buffered.readInt32BE(0));
      this.push(reply.welcome);
    }
    const { messages, rest } = messagesIn(this.buffered);
    this.buffered = rest;
    for (const message of messages) {
      if (message.type === 'X') {
        this.push(null);
        return;
      }
      this.batch.push(message);
      if (message.type !== 'S' && message.type !== 'Q') continue;
      const { messages: batch, parses } = unnamed(this.batch, this.statements);
      this.batch = [];
      const answer = await this.answer(batch);
      if (answer) this.push(parses ? answer : reply.withoutParse(answer));
    }
  }
}

import type { Actor } from '../auth/actor.js';
import type { Surface } from '../domain/organizations/scopes.js';
import type { Db, JobRow, NewRow, Row } from '../entities/database.js';
import { newId } from '../database/ids.js';
import { Loaders } from '../loaders/loaders.js';
import { longTextBytes } from '../loaders/long-texts.js';
import { SharedTransactionError, type SharedRows } from './shared-rows.js';
import type { ReadShare } from '../database/read-memory.js';
import type { InsertedTable, RowInsert } from '../database/insert-batches.js';
import type { ChangedTable, RowChange } from '../database/write-statement.js';
import { type EventFact, flush, type OutboxFact, Recorder } from './record-events.js';
import { References } from '../loaders/references.js';
import { replyBytesOf } from '../services/reply-bytes.js';
import type { Services } from '../services/services.js';
import { UncheckedRows } from '../loaders/unchecked-rows.js';

/** `Idempotency-Key` of a request with a fingerprint of its operation and input. */
export interface IdempotencyClaim {
  key: string;
  fingerprint: string;
}

export interface RequestFacts {
  actor: Actor;
  surface: Surface;
  requestId: string;
  idempotency?: IdempotencyClaim | undefined;
  /** IP address of the caller; null or absent if unknown. */
  ipAddress?: string | null;
  userAgent?: string | null;
  /** `traceparent` that the caller sent, as it is; absent where the request cannot make a build part of a trace. */
  traceparent?: string | null;
  /** Aborted when the request ends before its reply, so that no further work starts for it. */
  signal?: AbortSignal;
  /** Counts the bytes that the request reads from the database; absent for work that is bounded otherwise. */
  share?: ReadShare;
  /** Whether the caller wants nothing that is a moment old (`Cache-Control: no-cache`). */
  isCurrent?: boolean;
  /** Where lists that may be as of a moment ago are read; absent if this request must not have such. */
  late?: LateReads | undefined;
}

/** Reads of a request on a replica of the database. */
export interface LateReads {
  db: Db;
  /** False once the request has changed something. */
  isOpen: boolean;
}

/** One request as operations see it. Inside a command `db` is the open transaction. */
export class Context {
  readonly recorder: Recorder;
  // Dozens of loaders each: made when they are first used, since many requests use none.
  private loaders: Loaders | null = null;
  private referenceLoaders: References | null = null;
  private uncheckedLoaders: UncheckedRows | null = null;

  constructor(
    readonly services: Services,
    readonly request: RequestFacts,
    readonly db: Db = services.db,
    recorder = new Recorder(request.actor),
    /** Set where several operations are carried out together: what was read for them. */
    readonly shared: SharedRows | null = null,
    /** Connections of {@link RequestFacts.late}, where others stand for them. */
    private readonly lateDb: Db | null = request.late?.db ?? null,
  ) {
    this.recorder = recorder;
  }

  get load(): Loaders {
    return (this.loaders ??= new Loaders(this.db, longTextBytes(replyBytesOf(this.services))));
  }

  /** Loaders of pipelines, builds and jobs that other rows name; null for rows that the actor may not see. */
  get references(): References {
    return (this.referenceLoaders ??= new References(this.db, this.request.actor));
  }

  /** Loaders of the same rows without the check; for operations only. */
  get uncheckedRows(): UncheckedRows {
    return (this.uncheckedLoaders ??= new UncheckedRows(this.db));
  }

  get actor(): Actor {
    return this.request.actor;
  }

  get now(): Date {
    return this.services.clock.now();
  }

  /** A new id: UUIDv7, so that ids sort by creation. */
  newId(): string {
    return newId(this.services.clock.now());
  }

  /** ID of the acting user; null for any other actor. */
  get userId(): string | null {
    return this.actor.kind === 'user' ? this.actor.userId : null;
  }

  /** Records a state change; it is written with the transaction or not at all. */
  record(event: EventFact): void {
    this.recorder.events.push(event);
  }

  /** Queues an outbox message that is delivered after the commit. */
  send(message: OutboxFact): void {
    this.recorder.outbox.push(message);
  }

  /**
   * Changes rows that the transaction has locked, with the statement that writes its events. Until then the database
   * has the rows as they were: call {@link flush} before you read them.
   */
  async change<T extends ChangedTable>(table: T, ids: readonly string[], change: Omit<RowChange<T>, 'table' | 'ids'>) {
    const { changes } = this.recorder;
    // One statement changes a row once.
    if (changes.some((each) => each.table === table && each.ids.some((id) => ids.includes(id)))) await this.flush();
    this.recorder.changes.push({ table, ids, ...change } as unknown as RowChange);
  }

  /** Inserts rows with the statement that writes the events; see {@link change}. */
  insert<T extends InsertedTable>(table: T, rows: readonly NewRow<T>[], returned?: (rows: Row<T>[]) => void): void {
    if (rows.length > 0) this.recorder.inserts.push({ table, rows, returned } as unknown as RowInsert);
  }

  /**
   * Writes what was recorded so far. Throws {@link SharedTransactionError} in a transaction of several commands, whose
   * changes are written together.
   */
  async flush(): Promise<void> {
    if (!this.shared) return flush(this);
    if (!this.recorder.isWritten) throw new SharedTransactionError();
  }

  /** Writes what was recorded so far, unless it is written with what other commands of the transaction change. */
  async settle(): Promise<void> {
    if (!this.shared) await flush(this);
  }

  /** Caches a job that the caller may see, so that later loads of it need no statement. */
  know(job: JobRow): void {
    this.references.job.prime(job.id, job);
    this.uncheckedRows.job.prime(job.id, job);
  }

  /** The same request on another database handle, with empty caches and recorder. */
  withDb(db: Db): Context {
    return new Context(this.services, this.request, db);
  }

  /** The same request after a command, with empty caches but for rows that the command knows as they are by now. */
  afterwards(): Context {
    const context = this.as(this.actor);
    for (const give of this.recorder.known) give(context.load, context.references);
    return context;
  }

  /** The same request for a list that may be as of a moment ago: it reads on a replica, if the request may. */
  aMomentAgo(): Context {
    if (!this.lateDb || !this.request.late?.isOpen || this.db.isTransaction) return this;
    return this.reading(this.lateDb);
  }

  /**
   * The same request, with the same caches, whose operations read through other database handles: `db`, and those that
   * may read a moment ago through what `late` makes of their connections.
   */
  reading(db: Db, late: (db: Db) => Db = (same) => same): Context {
    const lateDb = this.lateDb && late(this.lateDb);
    const context = new Context(this.services, this.request, db, this.recorder, this.shared, lateDb);
    context.loaders = this.load;
    context.referenceLoaders = this.references;
    context.uncheckedLoaders = this.uncheckedRows;
    return context;
  }

  /** The same request as another actor, sharing the recorder: work on behalf of the system. */
  as(actor: Actor): Context {
    return new Context(this.services, { ...this.request, actor }, this.db, this.recorder, this.shared);
  }
}

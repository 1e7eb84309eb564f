import { Worker } from 'node:worker_threads';
import { DatabaseUnavailableError, type Unavailability } from '../faults.js';
import { type EmbeddedDatabase, joined } from './embedded-database.js';
import type { FromThread, ThreadData, ToThread } from './thread-entry.js';

export interface ThreadOptions {
  /** Null for a database in memory, which ends with its thread. */
  directory: string | null;
  /** Called when the thread has ended by itself, with what ended it. */
  onCrash?: ((error: Error) => void) | undefined;
  /** File of the thread, where it is not the one of the build. */
  entry?: URL | undefined;
}

interface Waiting {
  resolve(reply: Buffer): void;
  reject(error: DatabaseUnavailableError): void;
  /** Called before either. */
  settled(): void;
}

/** One life of the thread. */
interface Life {
  worker: Worker;
  session: number;
  /** Exchanges that are not answered yet, the oldest first. */
  waiting: Waiting[];
  /** Settles when the database is open, or cannot be opened. */
  opened: Promise<void>;
  isOpen: boolean;
  /** Set once it is being ended. */
  isEnding: boolean;
  ended: Promise<void>;
}

/** Milliseconds that a close waits for the database, and a new start waits after one that failed. */
const closeWithinMs = 20_000;
const startAgainAfterMs = 1_000;

/** The file of the thread; there is none where the program runs from its sources. */
export const threadEntry = new URL('./thread-entry.js', import.meta.url);

/**
 * An embedded database in a thread of its own: statements are computed while this thread goes on. A thread that ends by itself
 * loses nothing that was committed, as a process does not that is killed: the next use starts another one, which
 * recovers the directory.
 */
export class DatabaseThread implements EmbeddedDatabase {
  readonly inThisThread = false;
  private life: Life | null = null;
  private sessions = 0;
  private last: Promise<unknown> = Promise.resolve();
  /** The start that failed last, and when. */
  private failure: { error: unknown; at: number } | null = null;
  private closing = false;

  constructor(private readonly options: ThreadOptions) {}

  /** Opens the database. Throws what keeps it from being opened. */
  async open(): Promise<void> {
    this.life = this.start();
    await this.life.opened;
  }

  session(): number | Promise<number> {
    return this.life?.isOpen ? this.life.session : this.reopened();
  }

  exchange(session: number, messages: readonly Uint8Array[], limitMs?: number): Promise<Buffer> {
    const { life } = this;
    if (!life?.isOpen || life.session !== session) return Promise.reject(new DatabaseUnavailableError('lost'));
    const message = joined(messages);
    return new Promise((resolve, reject) => {
      const timer = limitMs === undefined ? undefined : setTimeout(() => overrun(life), limitMs);
      const settled = () => clearTimeout(timer);
      life.waiting.push({ resolve, reject, settled });
      life.worker.postMessage(message satisfies ToThread, [message.buffer]);
    });
  }

  alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.then(ignore, ignore);
    return result;
  }

  async close(): Promise<void> {
    this.closing = true;
    const { life } = this;
    if (!life) return;
    const cut = setTimeout(() => void life.worker.terminate(), closeWithinMs);
    life.worker.postMessage(null satisfies ToThread);
    await life.ended;
    clearTimeout(cut);
  }

  private async reopened(): Promise<number> {
    // Two threads must not have the directory open.
    if (this.life?.isEnding) await this.life.ended;
    if (!this.life) this.startAgain();
    const { life } = this;
    if (!life) throw new DatabaseUnavailableError('unreachable', this.failure?.error);
    try {
      await life.opened;
    } catch (error) {
      throw new DatabaseUnavailableError('unreachable', error);
    }
    return life.session;
  }

  private startAgain(): void {
    const mayStart = !this.closing && this.options.directory !== null;
    if (mayStart && performance.now() - (this.failure?.at ?? -Infinity) >= startAgainAfterMs) this.life = this.start();
  }

  private start(): Life {
    const data: ThreadData = { directory: this.options.directory };
    const worker = new Worker(this.options.entry ?? threadEntry, { workerData: data, env: {}, name: 'database' });
    this.sessions += 1;
    const opening = deferred();
    const end = deferred();
    // Who waits for it is told by its own promise.
    opening.promise.catch(ignore);
    const life: Life = {
      worker,
      session: this.sessions,
      waiting: [],
      opened: opening.promise,
      isOpen: false,
      isEnding: false,
      ended: end.promise,
    };
    let cause = new Error('the thread of the embedded database ended');
    worker.on('message', (message: FromThread) => {
      if (message) {
        const waiting = life.waiting.shift();
        waiting?.settled();
        waiting?.resolve(Buffer.from(message.buffer, message.byteOffset, message.byteLength));
      } else if (!life.isOpen) {
        life.isOpen = true;
        opening.resolve();
      }
    });
    worker.on('error', (error: Error) => (cause = error));
    worker.on('exit', () => {
      if (this.life === life) this.life = null;
      if (!life.isOpen) this.failure = { error: cause, at: performance.now() };
      life.isOpen = false;
      opening.reject(cause);
      failAll(life, 'lost', cause);
      if (!this.closing) this.options.onCrash?.(cause);
      end.resolve();
    });
    return life;
  }
}

/** Ends a thread whose statement takes too long: the database cannot be told to give it up. */
function overrun(life: Life): void {
  life.isOpen = false;
  life.isEnding = true;
  failAll(life, 'overloaded', new Error('a statement took too long'));
  void life.worker.terminate();
}

function failAll(life: Life, reason: Unavailability, cause: Error): void {
  for (const { settled, reject } of life.waiting.splice(0)) {
    settled();
    reject(new DatabaseUnavailableError(reason, cause));
  }
}

const ignore = () => undefined;

function deferred() {
  let resolve: () => void = ignore;
  let reject: (error: unknown) => void = ignore;
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

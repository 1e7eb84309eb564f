import { Worker } from 'node:worker_threads';
import { DatabaseUnavailableError, type Unavailability } from '../faults.js';
import { type EmbeddedDatabase, joined } from './embedded-database.js';
import { CallerMailbox, newMailbox } from './mailbox.js';
import type { FromThread, ThreadData } from './thread-entry.js';

export interface ThreadOptions {
  /** Null for a database in memory, which ends with its thread. */
  directory: string | null;
  /** Called when the thread has ended by itself, with what ended it. */
  onCrash?: ((error: Error) => void) | undefined;
  /** File of the thread, where it is not the one of the build. */
  entry?: URL | undefined;
}

/** An exchange that waits for its reply, or for its turn. */
interface Waiting {
  messages: readonly Uint8Array[];
  resolve(reply: Buffer): void;
  reject(error: DatabaseUnavailableError): void;
  /** Ends the thread when it is up. */
  limitMs: number | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** One life of the thread. */
interface Life {
  worker: Worker;
  mailbox: CallerMailbox;
  session: number;
  /** Exchanges that are not answered yet: the first one is with the thread. */
  waiting: Waiting[];
  /** Settles when the database is open, or cannot be opened. */
  opened: Promise<void>;
  isOpen: boolean;
  /** What ended it, once something has. */
  cause: Error;
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
    return new Promise((resolve, reject) => {
      life.waiting.push({ messages, resolve, reject, limitMs, timer: undefined });
      if (life.waiting.length === 1) send(life);
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
    life.mailbox.end();
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
    const memory = newMailbox();
    const data: ThreadData = { directory: this.options.directory, mailbox: memory };
    const worker = new Worker(this.options.entry ?? threadEntry, { workerData: data, env: {}, name: 'database' });
    this.sessions += 1;
    const opening = deferred();
    const end = deferred();
    // Who waits for it is told by its own promise.
    opening.promise.catch(ignore);
    const life: Life = {
      worker,
      mailbox: new CallerMailbox(memory),
      session: this.sessions,
      waiting: [],
      opened: opening.promise,
      isOpen: false,
      cause: new Error('the thread of the embedded database ended'),
      isEnding: false,
      ended: end.promise,
    };
    let hasOpened = false;
    worker.on('message', (message: FromThread) => {
      if (message === 'open') {
        life.isOpen = true;
        hasOpened = true;
        opening.resolve();
        return;
      }
      const waiting = life.waiting.shift();
      clearTimeout(waiting?.timer);
      waiting?.resolve(typeof message === 'number' ? life.mailbox.reply(message) : Buffer.from(message.buffer));
      send(life);
    });
    worker.on('error', (error: Error) => (life.cause = error));
    worker.on('exit', () => {
      const { cause } = life;
      if (this.life === life) this.life = null;
      if (!hasOpened) this.failure = { error: cause, at: performance.now() };
      life.isOpen = false;
      opening.reject(cause);
      failAll(life, 'lost');
      if (!this.closing) this.options.onCrash?.(cause);
      end.resolve();
    });
    return life;
  }
}

/** Gives the thread the exchange whose turn it is. */
function send(life: Life): void {
  const [next] = life.waiting;
  if (!next) return;
  if (next.limitMs !== undefined) next.timer = setTimeout(() => overrun(life), next.limitMs);
  if (life.mailbox.call(next.messages)) return;
  const message = joined(next.messages);
  life.worker.postMessage(message, [message.buffer]);
  life.mailbox.callByMessage();
}

/** Ends a thread whose statement takes too long: the database cannot be told to give it up. */
function overrun(life: Life): void {
  life.isOpen = false;
  life.isEnding = true;
  life.cause = new Error('a statement took too long');
  failAll(life, 'overloaded');
  void life.worker.terminate();
}

function failAll(life: Life, reason: Unavailability): void {
  for (const { timer, reject } of life.waiting.splice(0)) {
    clearTimeout(timer);
    reject(new DatabaseUnavailableError(reason, life.cause));
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

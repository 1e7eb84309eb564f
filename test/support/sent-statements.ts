import type { PGlite } from '@electric-sql/pglite';
import pg from 'pg';

/**
 * The statements that a world sends to its database, BEGIN and COMMIT among them, on both kinds of database. Pass
 * `embedded` to the world that is to be recorded.
 */
export class SentStatements {
  private texts: string[] = [];
  private readonly prepared = new Map<string, string>();
  private readonly restore: () => void;

  constructor() {
    const original = pg.Client.prototype.query;
    const record = (config: unknown) => {
      const text = typeof config === 'string' ? config : (config as { text?: string } | null)?.text;
      if (text !== undefined) this.texts.push(text);
    };
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      record(args[0]);
      return (original as (...all: unknown[]) => unknown).apply(this, args);
    } as typeof original;
    this.restore = () => {
      pg.Client.prototype.query = original;
    };
  }

  /** Stops recording. */
  close(): void {
    this.restore();
  }

  /** Goes between the product and the embedded database. */
  readonly embedded = (pglite: PGlite): PGlite =>
    new Proxy(pglite, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== 'function') return value;
        if (property !== 'execProtocolRawStream') return value.bind(target);
        return (message: Uint8Array, ...rest: unknown[]) => {
          this.read(Buffer.from(message));
          return (value as (...args: unknown[]) => unknown).call(target, message, ...rest);
        };
      },
    });

  /** The statements that a piece of work sends, on one line each. */
  async during(work: () => Promise<unknown>): Promise<string[]> {
    this.texts = [];
    await work();
    return this.texts.map((text) => text.replace(/\s+/g, ' ').trim());
  }

  /** Notes the statements in messages of the protocol: Parse names a text, Bind runs a name, Query runs a text. */
  private read(messages: Buffer): void {
    for (let at = 0; at < messages.length; at += 1 + messages.readInt32BE(at + 1)) {
      const kind = String.fromCharCode(messages[at] ?? 0);
      const [first = '', second = ''] = messages
        .subarray(at + 5)
        .toString('utf8')
        .split('\0', 2);
      if (kind === 'P') this.prepared.set(first, second);
      // A setting of the transaction is part of its BEGIN, with which it is sent.
      const bound = kind === 'B' ? (this.prepared.get(second) ?? second) : null;
      if (bound !== null && !bound.startsWith('set local ')) this.texts.push(bound);
      if (kind === 'Q') this.texts.push(first);
    }
  }
}

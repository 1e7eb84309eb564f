import type { PGlite } from '@electric-sql/pglite';
import type { RowMeter } from '../read-memory.js';
import { isAbortion } from './guard-runtime.js';
import { readReply } from './protocol.js';
import { ReplyBlocks } from './reply-blocks.js';

const idle = 'I'.charCodeAt(0);

/**
 * The embedded database ended in the middle of its work, as a PostgreSQL that panics does: only a new process can open
 * it again.
 */
export class EmbeddedDatabaseEnded extends Error {
  override readonly name = 'EmbeddedDatabaseEnded';

  constructor(reason: string, cause: unknown) {
    super(`the embedded database ended: ${reason}`, { cause });
  }
}

/** What came back of an exchange. */
export interface Exchanged {
  /** Replies, in blocks of whole messages. */
  blocks: Buffer[];
  /** Why the rest of the bytes was dropped as it arrived; null for whole replies. */
  refusal: Error | null;
}

/**
 * Gives PGlite messages of PostgreSQL's protocol, which end with Sync or are a simple query, in one call; returns the
 * bytes of all replies, or how they begin if the meter refused the rest. PGlite's other calls always parse the replies,
 * with a decoder that swallows byte order marks.
 */
export async function exchange(
  pglite: Pick<PGlite, 'execProtocolRawStream' | 'syncToFs'>,
  messages: Uint8Array,
  meter?: RowMeter,
): Promise<Exchanged> {
  const blocks = new ReplyBlocks();
  let refusal: Error | null = null;
  let last: number | undefined;
  const onRawData = (piece: Uint8Array) => {
    last = piece.at(-1);
    if (!refusal && meter) {
      refusal = meter.arrived(piece.length);
      // The first one tells the columns of the statement, which stays parsed.
      if (refusal) blocks.keepFirst();
    }
    // The database overwrites the memory of a piece with the next one.
    if (!refusal) blocks.add(piece);
  };
  try {
    await pglite.execProtocolRawStream(messages, { syncToFs: false, onRawData });
  } catch (error) {
    if (!isAbortion(error)) throw error;
    // Its last words are those of the panic; the exception says that it aborted.
    const lastWords = readReply(blocks.end()).error?.message;
    throw new EmbeddedDatabaseEnded(lastWords ?? error.message, error);
  }
  // Outside a transaction: what came before may be committed.
  if (last === idle) await pglite.syncToFs();
  return { blocks: blocks.end(), refusal };
}

/**
 * The embedded database as its driver speaks to it. It has one session, so exchanges that belong together are made
 * inside one `alone`.
 */
export class EmbeddedDatabase {
  private end: EmbeddedDatabaseEnded | null = null;

  /**
   * `onEnd` is called once, if the database ends in the middle of its work. Every exchange since then rejects with the
   * same error.
   */
  constructor(
    private readonly pglite: PGlite,
    private readonly onEnd: (error: EmbeddedDatabaseEnded) => void,
  ) {}

  exchange(messages: readonly Uint8Array[], meter?: RowMeter): Promise<Exchanged> {
    return this.pglite.runExclusive(async () => {
      if (this.end) throw this.end;
      try {
        return await exchange(this.pglite, Buffer.concat(messages), meter);
      } catch (error) {
        if (error instanceof EmbeddedDatabaseEnded) {
          this.end = error;
          this.onEnd(error);
        }
        throw error;
      }
    });
  }

  /**
   * Runs work while no other work runs here. The lock is PGlite's own, so direct calls of PGlite take their turn too.
   */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.pglite._runExclusiveTransaction(work);
  }

  /** Closes the database; one that has ended is left as it is, because its runtime must not be called any more. */
  async close(): Promise<void> {
    if (!this.end) await this.pglite.close();
  }
}

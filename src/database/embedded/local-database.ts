import type { PGlite } from '@electric-sql/pglite';
import { type EmbeddedDatabase, endsIdle, joined } from './embedded-database.js';

/** What speaks to PGlite in the thread that it runs in. */
export type Engine = Pick<PGlite, 'execProtocolRawStream' | 'syncToFs'>;

/**
 * Gives the database messages in one call and returns the bytes of its replies. What may be committed is handed to the
 * file system before. PGlite's other calls parse the replies, whoever reads them.
 */
export async function exchange(engine: Engine, messages: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  // The database overwrites the memory of a piece with the next one.
  const onRawData = (piece: Uint8Array) => void pieces.push(piece.slice());
  await engine.execProtocolRawStream(messages, { syncToFs: false, onRawData });
  const [first] = pieces;
  const reply = first && pieces.length === 1 ? first : joined(pieces);
  if (endsIdle(reply)) await engine.syncToFs();
  return reply;
}

/** An embedded database in the thread of the caller, such as the one of a test. */
export class LocalDatabase implements EmbeddedDatabase {
  readonly inThisThread = true;

  /** @param owned whether `close` closes it. */
  constructor(
    private readonly pglite: PGlite,
    private readonly owned: boolean,
  ) {}

  session(): number {
    return 1;
  }

  async exchange(_session: number, messages: readonly Uint8Array[]): Promise<Buffer> {
    const reply = await this.pglite.runExclusive(() => exchange(this.pglite, joined(messages)));
    return Buffer.from(reply.buffer, reply.byteOffset, reply.byteLength);
  }

  /** The lock is PGlite's own, so that what speaks to PGlite directly takes its turn too. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.pglite._runExclusiveTransaction(work);
  }

  async close(): Promise<void> {
    if (this.owned) await this.pglite.close();
  }
}

import type { PGlite } from '@electric-sql/pglite';

const idle = 'I'.charCodeAt(0);

/**
 * Gives PGlite messages of PostgreSQL's protocol, which end with Sync or are a simple query, in one call; returns the bytes of all
 * replies. PGlite's other calls always parse the replies, with a decoder that swallows byte order marks.
 */
export async function exchange(
  pglite: Pick<PGlite, 'execProtocolRawStream' | 'syncToFs'>,
  messages: Uint8Array,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  // The database overwrites the memory of a piece with the next one.
  const onRawData = (piece: Uint8Array) => void pieces.push(Buffer.from(piece));
  await pglite.execProtocolRawStream(messages, { syncToFs: false, onRawData });
  const [first] = pieces;
  const reply = first && pieces.length === 1 ? first : Buffer.concat(pieces);
  // Outside a transaction: what came before may be committed.
  if (reply.at(-1) === idle) await pglite.syncToFs();
  return reply;
}

/**
 * The embedded database as its driver speaks to it. It has one session, so exchanges that belong together are made inside one
 * `alone`.
 */
export class EmbeddedDatabase {
  constructor(private readonly pglite: PGlite) {}

  exchange(messages: readonly Uint8Array[]): Promise<Buffer> {
    return this.pglite.runExclusive(() => exchange(this.pglite, Buffer.concat(messages)));
  }

  /** Runs work while no other work runs here. The lock is PGlite's own, so direct calls of PGlite take their turn too. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.pglite._runExclusiveTransaction(work);
  }
}

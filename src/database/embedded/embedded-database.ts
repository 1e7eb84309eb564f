/**
 * The embedded database as its driver speaks to it: messages of PostgreSQL's protocol go in, bytes of the replies come out.
 * It has one session, so exchanges that belong together are made inside one {@link EmbeddedDatabase.alone}.
 */
export interface EmbeddedDatabase {
  /** Whether the calling thread does the database's work, so that timers and sockets wait for it. */
  readonly inThisThread: boolean;
  /**
   * Waits until the database is open; gives the number of its session, which changes where the database had to be opened
   * again: statements that an earlier session had parsed, and its transaction, are gone. Throws
   * {@link DatabaseUnavailableError}.
   */
  session(): number | Promise<number>;
  /**
   * Sends messages, which end with Sync or are a simple query, in one go and gives the bytes of all replies. Throws
   * {@link DatabaseUnavailableError}: `lost` where the session is no longer that of the number, or ends before it has
   * replied; `overloaded` after `limitMs`, where the database is in a thread of its own, and ends the session with it.
   */
  exchange(session: number, messages: readonly Uint8Array[], limitMs?: number): Promise<Buffer>;
  /** Runs work while no other work runs here. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Puts the pieces into one piece of memory of its own, which may be handed over to another thread. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

const idle = 'I'.charCodeAt(0);

/** Whether a reply, which ends with ReadyForQuery, leaves the session outside a transaction: what came before may be committed. */
export const endsIdle = (reply: Uint8Array): boolean => reply.at(-1) === idle;

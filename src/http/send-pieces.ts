import { createHash, type Hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { nextTurn } from '../event-loop/turns.js';
import { unsentBytes } from './unsent-bytes.js';

/** A body in pieces, which may be shared with other replies. */
export type Pieces = readonly Buffer[];

/** Bytes of a body up to which it is sent in one go. */
export const smallBody = 256 * 1024;
/** Bytes that are handed to a connection at a time. */
const sliceBytes = 256 * 1024;
/** Bytes that are hashed before the event loop has a turn. */
const hashedBetweenTurns = 1024 * 1024;

export const lengthOf = (pieces: Pieces): number => pieces.reduce((sum, { length }) => sum + length, 0);

/** The pieces in slices of bounded size; small ones are put together. */
function* slicesOf(pieces: Pieces): Generator<Buffer> {
  let small: Buffer[] = [];
  let size = 0;
  for (const piece of pieces)
    for (let start = 0; start < piece.length; start += sliceBytes) {
      const slice = piece.subarray(start, start + sliceBytes);
      small.push(slice);
      size += slice.length;
      if (size < sliceBytes) continue;
      yield small.length === 1 ? slice : Buffer.concat(small, size);
      [small, size] = [[], 0];
    }
  if (size > 0) yield Buffer.concat(small, size);
}

/** Adds pieces to a hash, with turns of the event loop between. */
export async function hashPieces(algorithm: string, pieces: Pieces): Promise<Hash> {
  const hash = createHash(algorithm);
  let sinceTurn = 0;
  for (const slice of slicesOf(pieces)) {
    hash.update(slice);
    sinceTurn += slice.length;
    if (sinceTurn < hashedBetweenTurns) continue;
    sinceTurn = 0;
    await nextTurn();
  }
  return hash;
}

/**
 * Sends a large body as fast as its client reads it, once there is room for it in the process ({@link unsentBytes}),
 * and ends the response. Ends early if the client leaves. Rejects with `unavailable`, before anything is sent, if there
 * was no room in time.
 *
 * @param onRoom called when sending begins
 */
export async function sendPieces(response: ServerResponse, pieces: Pieces, onRoom?: () => void): Promise<void> {
  const sent = await unsentBytes.take(response, lengthOf(pieces));
  onRoom?.();
  // At its deadline the request was answered otherwise.
  if (response.headersSent || response.destroyed) return;
  let resume: () => void = () => undefined;
  const wake = () => resume();
  // Once for all slices: compression passes the listener on and never removes it.
  response.on('drain', wake);
  response.on('close', wake);
  for (const slice of slicesOf(pieces)) {
    if (!response.write(slice)) await new Promise<void>((resolve) => (resume = resolve));
    if (response.destroyed) return;
    sent(slice.length);
  }
  response.end();
}

import { nextTurn } from './turns.js';

/** Bytes that are copied in one turn of the event loop: a millisecond or two, where the memory is new. */
const bytesOfTurn = 1024 * 1024;
/** Fewer bytes are copied to a thread in less time than memory for all threads is made. */
const leastShared = 64 * 1024;

/**
 * Copies bytes into memory that all threads read: what is sent to a thread otherwise is copied by the event loop, and
 * once more on its way back.
 */
export function copyShared(bytes: Uint8Array): Uint8Array {
  const shared = Buffer.from(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

/**
 * Joins pieces in memory that all threads read, with turns of the event loop between; a few bytes are joined in memory
 * of this thread. The list is empty afterwards, so that a large body is not held twice.
 */
export async function joinShared(pieces: Buffer[]): Promise<Buffer> {
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  if (size < leastShared) return Buffer.concat(pieces.splice(0), size);
  const shared = Buffer.from(new SharedArrayBuffer(size));
  let joined = 0;
  let inTurn = 0;
  for (const slice of slicesOf(pieces)) {
    if (inTurn > 0 && inTurn + slice.length > bytesOfTurn) {
      await nextTurn();
      inTurn = 0;
    }
    shared.set(slice, joined);
    joined += slice.length;
    inTurn += slice.length;
  }
  return shared;
}

/** The bytes of the pieces in order, at most as many at once as one turn takes. Each piece is given up when read. */
function* slicesOf(pieces: Buffer[]): Generator<Buffer> {
  for (const [index, piece] of pieces.entries()) {
    pieces[index] = Buffer.alloc(0);
    yield* inSlices(piece);
  }
  pieces.length = 0;
}

/** The bytes in order, at most as many at once as one turn of the event loop is for. */
export function* inSlices(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += bytesOfTurn) yield bytes.subarray(start, start + bytesOfTurn);
}

import { deserialize, serialize } from 'node:v8';
import { nextTurn } from '../event-loop/turns.js';

/** Bytes of a piece, about: reading it takes a few milliseconds. */
const pieceBytes = 256 * 1024;

/** An output of a thread whose list is divided: reading the whole message at once would hold up the event loop. */
export interface Pieces {
  /** The output with an empty list, or without one where it has none. */
  rest: object;
  list: string;
  /** Stretches of the list, serialised. */
  pieces: Uint8Array[];
}

/** Divides the list of an output. */
export function inPieces(output: unknown, list: string): Pieces {
  const whole = output as Record<string, unknown>;
  const items = whole[list];
  if (!Array.isArray(items)) return { rest: whole, list, pieces: [] };
  const pieces: Uint8Array[] = [];
  // The sizes of items are known once they are written: the next stretch has as many as the last ones would fill a
  // piece with.
  for (let start = 0, count = 16; start < items.length;) {
    const piece = serialize(items.slice(start, start + count));
    pieces.push(piece);
    start += count;
    count = Math.max(1, Math.min(count * 4, Math.floor((count * pieceBytes) / piece.length)));
  }
  return { rest: { ...whole, [list]: [] }, list, pieces };
}

/** Puts an output together again, with a turn of the event loop after each piece. */
export async function joinPieces<Output>({ rest, list, pieces }: Pieces): Promise<Output> {
  const items = (rest as Record<string, unknown[] | undefined>)[list];
  for (const piece of pieces) {
    for (const item of deserialize(piece) as unknown[]) items?.push(item);
    await nextTurn();
  }
  return rest as Output;
}

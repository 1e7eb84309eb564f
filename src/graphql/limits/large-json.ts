import { writeJson } from '../../event-loop/json-in-steps.js';
import { KeptText } from '../execution/kept-text.js';
import { ReplyTooLarge } from '../execution/reply-size.js';
import { slices } from './slices.js';

/** Characters of one piece. */
const pieceLength = 64 * 1024;

const isKept = (part: object): part is KeptText => part instanceof KeptText;

/**
 * Serializes plain data like `JSON.stringify`, with kept texts as they are, and yields to other requests between
 * pieces. Returns the pieces in order; throws {@link ReplyTooLarge} if they would have more than `most` bytes.
 */
export async function largeJson(value: unknown, most = Infinity): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  let text = '';
  const push = (piece: Buffer) => {
    if (piece.length === 0) return;
    bytes += piece.length;
    if (bytes > most) throw new ReplyTooLarge(most);
    pieces.push(piece);
  };
  const take = (more: string | KeptText): Promise<void> | undefined => {
    if (typeof more === 'string') {
      text += more;
      if (text.length < pieceLength) return undefined;
    }
    push(Buffer.from(text));
    text = '';
    if (typeof more !== 'string') push(more.text);
    return slices.next();
  };
  await writeJson(value, take, isKept);
  push(Buffer.from(text));
  return pieces;
}

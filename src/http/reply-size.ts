import { replyTooLarge } from '../database/read-memory.js';
import { jsonSize } from '../domain/json-size.js';
import type { Context } from '../request/context.js';
import { replyBytesOf } from '../services/reply-bytes.js';

/** Bytes that the reply to a request may have. */
export const mostBytesOf = ({ request, services }: Context): number => request.share?.most ?? replyBytesOf(services);

/** Returns a value as JSON text. Throws `too_large` above `most` bytes, which are counted before the text is built. */
export function boundedJson(value: unknown, most: number): string {
  if (jsonSize(value, most) > most) throw replyTooLarge(most);
  try {
    const text = JSON.stringify(value);
    if (text.length <= most) return text;
  } catch (error) {
    // Text of many escapes is longer than a string may be.
    if (!(error instanceof RangeError)) throw error;
  }
  throw replyTooLarge(most);
}

export { replyTooLarge };

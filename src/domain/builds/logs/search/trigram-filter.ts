import { visibleText } from './visible-text.js';

/** Bytes of the largest filter, and of the smallest. */
export const mostFilterBytes = 32 * 1024;
const leastFilterBytes = 16;
/** A filter takes a thirty-second of the bytes that it is of, but may always have a KiB. */
const shareOfBytes = 32;
const alwaysBytes = 1024;
/** Of a filter's bits at most an eighth are set, where its size allows it. */
const emptiness = 8;

const newline = 0x0a;
const carriageReturn = 0x0d;

/**
 * The bit of three neighbouring UTF-16 units in a filter of the largest size; in one of 2ⁿ bits it is the rest by 2ⁿ.
 * Stored filters hold these: a change makes all of them wrong.
 */
export function trigramBit(first: number, second: number, third: number): number {
  let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second + 0x7f4a, 0x85ebca6b) ^ Math.imul(third, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) & (mostFilterBytes * 8 - 1);
}

/** The bits of all trigrams of a text, each once. */
export function trigramBits(text: string): number[] {
  const bits = new Set<number>();
  for (let at = 2; at < text.length; at += 1)
    bits.add(trigramBit(text.charCodeAt(at - 2), text.charCodeAt(at - 1), text.charCodeAt(at)));
  return [...bits];
}

/**
 * The trigrams in the lines of a log's bytes as a search looks at them, in lower case: a bitmap of hashes. A trigram
 * that a line has is always in it; of those that no line has, one in eight is by chance, or fewer.
 */
export function trigramFilter(bytes: Uint8Array): { trigrams: Uint8Array; lines: number } {
  const text = visibleText(bytes).toLowerCase();
  const bitmap = new Uint8Array(mostFilterBytes);
  let lines = 0;
  let set = 0;
  let first = -1;
  let second = -1;
  for (let at = 0; at < text.length; at += 1) {
    const third = text.charCodeAt(at);
    if (third === newline || third === carriageReturn) {
      if (third === newline) lines += 1;
      first = -1;
      second = -1;
      continue;
    }
    if (first >= 0) {
      const bit = trigramBit(first, second, third);
      const mask = 1 << (bit & 7);
      const byte = bitmap[bit >> 3] ?? 0;
      if ((byte & mask) === 0) {
        bitmap[bit >> 3] = byte | mask;
        set += 1;
      }
    }
    first = second;
    second = third;
  }
  return { trigrams: folded(bitmap, set, Math.max(alwaysBytes, bytes.length / shareOfBytes)), lines };
}

/** Lays the halves of a bitmap on one another while it has more than `most` bytes or is emptier than it need be. */
function folded(bitmap: Uint8Array, set: number, most: number): Uint8Array {
  let size = bitmap.length;
  while (size > leastFilterBytes && (size / 2 >= most || set * emptiness <= size * 4)) {
    size /= 2;
    for (let at = 0; at < size; at += 1) bitmap[at] = (bitmap[at] ?? 0) | (bitmap[at + size] ?? 0);
  }
  return bitmap.slice(0, size);
}

import { lastStateOf } from '../logs/plain-text.js';
import { visibleText } from '../logs/search/visible-text.js';
import { maskedLine } from './masked-line.js';

const bytesOfHash = 8;

/** 64 bits, the upper and the lower 32 of which are numbers of their own. */
export interface LineHash {
  high: number;
  low: number;
}

const letter = /\p{L}/u;

/** The hash of a line as the log page shows it, without what differs from run to run; null where no letter is left. */
export function lineHash(line: string): LineHash | null {
  const masked = maskedLine(line);
  return letter.test(masked) ? hashOf(masked) : null;
}

/** Stored hashes are made with this: a change makes all lines of passed logs unknown. */
function hashOf(text: string): LineHash {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return { high: high >>> 0, low: low >>> 0 };
}

/** Lines of a log's bytes as its page shows them. */
export const shownLines = (bytes: Uint8Array): string[] => visibleText(bytes).split('\n').map(lastStateOf);

/**
 * The hashes of the lines in a log's bytes and those that are known, each once, in order, 8 bytes each; null where
 * there are more than `most`.
 */
export function addHashes(known: Uint8Array, bytes: Uint8Array, most: number): Uint8Array | null {
  const hashes = new Set(new BigUint64Array(aligned(known)));
  for (const line of shownLines(bytes)) {
    const hash = lineHash(line);
    if (hash) hashes.add((BigInt(hash.high) << 32n) | BigInt(hash.low));
    if (hashes.size > most) return null;
  }
  return new Uint8Array(new BigUint64Array(hashes).sort().buffer);
}

function aligned(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

/** The hashes of a passed log's lines, in order, to look one up. */
export class HashesOfLog {
  private readonly words: Uint32Array;

  constructor(hashes: Uint8Array) {
    this.words = new Uint32Array(aligned(hashes));
  }

  has({ high, low }: LineHash): boolean {
    let first = 0;
    let end = (this.words.length * 4) / bytesOfHash;
    while (first < end) {
      const middle = (first + end) >>> 1;
      const above = this.words[middle * 2 + 1] ?? 0;
      const below = this.words[middle * 2] ?? 0;
      if (above === high && below === low) return true;
      if (above < high || (above === high && below < low)) first = middle + 1;
      else end = middle;
    }
    return false;
  }
}

import { maxHeaders } from '../../limits/log-limits.js';
import { groupKind } from './log-line.js';
import { readTimestampMark } from './timestamp-mark.js';

/** State of a scan for group headers: plain JSON of bounded size, stored with the log to continue the scan. */
export interface HeaderScan {
  /** Bytes of readable log scanned. */
  offset: number;
  /** Headers found so far. */
  count: number;
  phase: 'prefix' | 'rest' | 'escape' | 'code' | 'mark' | 'markEscape';
  /** True while the line's beginning may still become a header. */
  undecided: boolean;
  /** Visible bytes at the beginning of the line, at most four. */
  prefix: string;
  /** Bytes of the escape sequence at hand. */
  held: string;
  /** The line's time and the last time of all, in milliseconds, as decimal text. */
  lineTime: string | null;
  lastTime: string;
}

/** The state before the first byte. */
export const startOfLog: HeaderScan = {
  offset: 0,
  count: 0,
  phase: 'prefix',
  undecided: true,
  prefix: '',
  held: '',
  lineTime: null,
  lastTime: '0',
};

const newline = 0x0a;
const escape = 0x1b;
const maxHeld = 256;

/**
 * Finds group headers and their times in log bytes as they come, however they are cut.
 * Colour and erase codes before the marker do not count; the time is the line's mark before the marker.
 */
export class HeaderScanner {
  private scan: HeaderScan;

  constructor(from: HeaderScan = startOfLog) {
    this.scan = { ...from };
  }

  /** State to store; a scanner created from it continues where this one stopped. */
  get state(): HeaderScan {
    return { ...this.scan };
  }

  /**
   * Takes the next bytes. Gives one entry for each header line recognised in them, in order: nanoseconds
   * since the epoch, or null for a line without a time mark.
   */
  push(bytes: Uint8Array): (bigint | null)[] {
    const headerTimes: (bigint | null)[] = [];
    let i = 0;
    while (i < bytes.length) {
      if (this.scan.phase === 'rest') i = this.skip(bytes, i);
      else this.step(bytes[i++] ?? 0, headerTimes);
    }
    this.scan.offset += bytes.length;
    return headerTimes;
  }

  /** Passes over the rest of a line, up to its end or the next escape sequence. Returns where to go on. */
  private skip(bytes: Uint8Array, from: number): number {
    for (let i = from; i < bytes.length; i++) {
      const byte = bytes[i];
      if (byte === newline) {
        this.beginLine();
        return i + 1;
      }
      if (byte === escape) {
        this.scan.phase = 'escape';
        return i + 1;
      }
    }
    return bytes.length;
  }

  private beginLine(): void {
    Object.assign(this.scan, { phase: 'prefix', undecided: true, prefix: '', held: '', lineTime: null });
  }

  /** Returns to text after an escape sequence; `plain` if the sequence may precede a marker. */
  private endSequence(plain: boolean): void {
    this.scan.held = '';
    if (!plain) this.scan.undecided = false;
    this.scan.phase = this.scan.undecided ? 'prefix' : 'rest';
  }

  private step(byte: number, headerTimes: (bigint | null)[]): void {
    const { scan } = this;
    const character = String.fromCharCode(byte);
    if (byte === newline && scan.phase !== 'mark' && scan.phase !== 'markEscape') this.beginLine();
    else if (scan.phase === 'prefix') this.prefix(byte, character, headerTimes);
    else if (scan.phase === 'escape') {
      if (character === '[') scan.phase = 'code';
      else if (character === '_') scan.phase = 'mark';
      else this.endSequence(false);
    } else if (scan.phase === 'code') {
      if (/[0-9;]/.test(character) && scan.held.length < maxHeld) scan.held += character;
      else this.endSequence(character === 'm' || character === 'K');
    } else this.mark(byte, character);
  }

  private prefix(byte: number, character: string, headerTimes: (bigint | null)[]): void {
    const { scan } = this;
    if (byte === escape) {
      scan.phase = 'escape';
      return;
    }
    scan.prefix += character;
    if (groupKind(scan.prefix) !== null) {
      if (scan.count < maxHeaders) headerTimes.push(scan.lineTime === null ? null : BigInt(scan.lineTime) * 1_000_000n);
      scan.count++;
    } else if (['---', '+++', '~~~'].some((marker) => marker.startsWith(scan.prefix))) return;
    this.endSequence(false);
  }

  private mark(byte: number, character: string): void {
    const { scan } = this;
    const ended = byte === 0x07 || (scan.phase === 'markEscape' && character === '\\');
    if (!ended) {
      scan.phase = byte === escape ? 'markEscape' : 'mark';
      if (byte !== escape) scan.held += character;
      // Agents write no marks of this length: it is output of the program.
      if (scan.held.length > maxHeld) this.endSequence(false);
      return;
    }
    try {
      const read = readTimestampMark(scan.held, BigInt(scan.lastTime));
      if (read) scan.lastTime = read.last.toString();
      if (read?.time != null) scan.lineTime = read.time.toString();
    } catch {
      // A malformed mark has no time here; the renderer shows the error.
    }
    this.endSequence(true);
  }
}

import { groupKind, opensPreviousGroup } from './log-line.js';
import { maxHeaders } from '../../limits/log-limits.js';

/** Where the lines and groups of a log begin. */
export interface LogIndex {
  /** Bytes indexed. */
  size: number;
  /** Lines that have ended. */
  lineCount: number;
  /** Lines between two offsets. */
  stride: number;
  /** Bytes at which the lines 0, stride, 2 × stride … begin. */
  offsets: number[];
  /** Groups in order, at most 10,000; `line` counts from 0. */
  groups: { line: number; open: boolean }[];
}

const newline = 0x0a;
const firstStride = 256;
/** Twice as many lines lie between two offsets each time there are more than these: an index stays small. */
const mostOffsets = 4096;
/** Bytes of a line that decide what it begins: marks of time and colours stand before a marker. */
const headBytes = 160;
// eslint-disable-next-line no-control-regex -- the agent's marks are made of control characters
const marks = /\u001b_[^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
const escape = 0x1b;
const bell = 0x07;
/** First bytes of a line that may be more than text: markers of groups, and escape sequences before them. */
const promising = new Uint8Array(256);
for (const byte of [escape, 0x2b, 0x2d, 0x5e, 0x7e]) promising[byte] = 1;

/**
 * Indexes the bytes of a log as they come, however they are cut, in memory that the length of the log does not raise.
 */
export class LogIndexer {
  private size = 0;
  private lineCount = 0;
  private stride = firstStride;
  private offsets = [0];
  private readonly groups: LogIndex['groups'] = [];
  /** The beginning of the line at hand. */
  private head: number[] = [];

  push(bytes: Uint8Array): void {
    let from = 0;
    while (from < bytes.length) {
      const end = endOfLine(bytes, from);
      this.takeHead(bytes, from, end < 0 ? bytes.length : end);
      if (end < 0) break;
      this.endLine(this.size + end + 1);
      from = end + 1;
    }
    this.size += bytes.length;
  }

  end(): LogIndex {
    this.recognise();
    const { size, lineCount, stride, offsets, groups } = this;
    return { size, lineCount, stride, offsets, groups };
  }

  private takeHead(bytes: Uint8Array, from: number, end: number): void {
    if (this.head.length === 0 && !promising[bytes[behindMark(bytes, from, end)] ?? 0]) {
      // Nothing of this line can be a marker: its bytes need not be kept.
      this.head = end > from ? [0] : [];
      return;
    }
    if (this.head[0] === 0) return;
    const stop = Math.min(end, from + headBytes - this.head.length);
    for (let i = from; i < stop; i++) this.head.push(bytes[i] ?? 0);
  }

  private endLine(next: number): void {
    this.recognise();
    this.head = [];
    this.lineCount += 1;
    if (this.lineCount % this.stride !== 0) return;
    this.offsets.push(next);
    if (this.offsets.length <= mostOffsets) return;
    this.offsets = this.offsets.filter((_offset, index) => index % 2 === 0);
    this.stride *= 2;
  }

  private recognise(): void {
    if (this.head.length === 0 || this.head[0] === 0) return;
    const text = Buffer.from(this.head).toString('latin1').replace(marks, '');
    const kind = groupKind(text);
    const last = this.groups.at(-1);
    if (kind !== null && this.groups.length < maxHeaders) {
      this.groups.push({ line: this.lineCount, open: kind === 'expanded' });
    } else if (kind === null && last && opensPreviousGroup(text)) last.open = true;
  }
}

/** Bytes that are looked at one by one, which for a short line takes less time than a call of `indexOf`. */
const shortLine = 64;

/** Where the line ends that begins at `from`; -1 where it goes on. */
function endOfLine(bytes: Uint8Array, from: number): number {
  const near = Math.min(bytes.length, from + shortLine);
  for (let at = from; at < near; at++) if (bytes[at] === newline) return at;
  return bytes.indexOf(newline, near);
}

/**
 * Where the text of a line begins that begins with a mark such as the agent's times, which nearly every line has;
 * `from` for any other, and for one whose mark is not whole.
 */
function behindMark(bytes: Uint8Array, from: number, end: number): number {
  if (bytes[from] !== escape || bytes[from + 1] !== 0x5f) return from;
  for (let at = from + 2; at < end; at++) {
    if (bytes[at] === escape) return from;
    if (bytes[at] === bell) return at + 1 < end ? at + 1 : from;
  }
  return from;
}

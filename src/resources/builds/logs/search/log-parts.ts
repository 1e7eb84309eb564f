import { readLog } from '../../../../storage/logs/read-log.js';
import type { ReadableLog } from '../readable-log.js';

/** Bytes of a log that are looked through at a time. */
const partBytes = 1024 * 1024;
const newline = 0x0a;

/** A place in a log. */
export interface LogPosition {
  /** Bytes of the readable log before it; a line begins there, unless a line is longer than a mebibyte. */
  offset: number;
  /** Lines that end before it. */
  line: number;
}

export const startOfLog: LogPosition = { offset: 0, line: 0 };

/** A part of a log that has a filter. */
export interface LogPart extends LogPosition {
  size: number;
}

export type LogSource = Pick<ReadableLog, 'store' | 'view' | 'size'>;

/**
 * The bytes of a log from a position on, in parts that end with a line where they can: those that its filters are of,
 * if it begins with the log. Rejects with the reason of the signal once it is aborted.
 */
export async function* partsOf(
  { store, view, size }: LogSource,
  start: number,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of readLog(store, view, { start, end: size })) {
    signal?.throwIfAborted();
    // Copied: the reader may use its buffer again.
    pieces.push(Buffer.from(piece));
    bytes += piece.length;
    if (bytes < partBytes) continue;
    const whole = Buffer.concat(pieces);
    const end = whole.lastIndexOf(newline) + 1 || whole.length;
    yield whole.subarray(0, end);
    pieces = end < whole.length ? [whole.subarray(end)] : [];
    bytes = whole.length - end;
  }
  if (bytes > 0) yield Buffer.concat(pieces);
}

/** The bytes of a part of a log. Rejects with the reason of the signal once it is aborted. */
export async function readPart(
  { store, view }: LogSource,
  start: number,
  end: number,
  signal?: AbortSignal,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of readLog(store, view, { start, end })) {
    signal?.throwIfAborted();
    pieces.push(Buffer.from(piece));
  }
  return Buffer.concat(pieces);
}

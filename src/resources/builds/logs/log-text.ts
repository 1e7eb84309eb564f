import { Problem } from '../../../domain/problem.js';
import { readLog } from '../../../storage/logs/read-log.js';
import type { ReadableLog } from './readable-log.js';

/** Most bytes of a log that a reply holds in memory. */
export const logTextBytes = 1024 * 1024;

/**
 * Returns the log as text, or its end if it does not fit, starting at a line. Rejects with the reason of the signal
 * once it is aborted.
 */
export async function logText(
  { store, view, size }: Pick<ReadableLog, 'store' | 'view' | 'size'>,
  signal?: AbortSignal,
): Promise<string> {
  const start = Math.max(0, size - logTextBytes);
  const parts: Uint8Array[] = [];
  for await (const part of readLog(store, view, { start, end: size })) {
    signal?.throwIfAborted();
    parts.push(part);
  }
  const text = Buffer.concat(parts).toString('utf8');
  return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
}

/** Bounds of a part of a log, at most a mebibyte. Throws `invalid` for bounds that are none. */
export function logRange(size: number, start: number, end: number): { start: number; end: number } {
  if (start < 0 || end < start) throw new Problem('invalid', 'A part of a log begins at 0 or later and ends behind it');
  const first = Math.min(start, size);
  return { start: first, end: Math.min(end, size, first + logTextBytes) };
}

/** Returns the text of a part of the log. Rejects with the reason of the signal once it is aborted. */
export async function logRangeText(
  { store, view }: Pick<ReadableLog, 'store' | 'view'>,
  range: { start: number; end: number },
  signal?: AbortSignal,
): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of readLog(store, view, range)) {
    signal?.throwIfAborted();
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

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

import { readLog } from '../../storage/logs/read-log.js';
import type { ReadableLog } from '../jobs/read-log.js';

/** What a reply that holds a log in memory holds of it at most. */
export const logTextBytes = 1024 * 1024;

/** The end of a log as text, of one that fits all of it; it starts at a line where something was left out. */
export async function logText({ store, view, size }: Pick<ReadableLog, 'store' | 'view' | 'size'>): Promise<string> {
  const start = Math.max(0, size - logTextBytes);
  const parts: Uint8Array[] = [];
  for await (const part of readLog(store, view, { start, end: size })) parts.push(part);
  const text = Buffer.concat(parts).toString('utf8');
  return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
}

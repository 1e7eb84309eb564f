import { limits } from '../../../domain/limits.js';
import { LogIndexer, type LogIndex } from '../../../domain/builds/logs/log-index.js';
import { LineSearch } from '../../../domain/builds/logs/line-search.js';
import { Problem } from '../../../domain/problem.js';
import { readLog } from '../../../storage/logs/read-log.js';
import type { ReadableLog } from './readable-log.js';

type LogSource = Pick<ReadableLog, 'store' | 'view' | 'size'>;

/** Indexes the lines and groups of a log. Rejects with the reason of the signal once it is aborted. */
export async function indexLog({ store, view, size }: LogSource, signal?: AbortSignal): Promise<LogIndex> {
  const indexer = new LogIndexer();
  for await (const part of readLog(store, view, { end: size })) {
    signal?.throwIfAborted();
    indexer.push(part);
  }
  return indexer.end();
}

/**
 * Returns the numbers of the lines that contain `text`, in any case, at most 10,000. Throws `invalid` for an empty or
 * overlong text; rejects with the reason of the signal once it is aborted.
 */
export async function searchLog(
  { store, view, size }: LogSource,
  text: string,
  signal?: AbortSignal,
): Promise<number[]> {
  if (text === '' || text.length > limits.filterLength)
    throw new Problem('invalid', `A text to find has 1 to ${limits.filterLength} characters`);
  const search = new LineSearch(text);
  for await (const part of readLog(store, view, { end: size })) {
    signal?.throwIfAborted();
    search.push(part);
    if (search.full) break;
  }
  return search.end();
}

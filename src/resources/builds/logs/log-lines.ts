import { limits } from '../../../domain/limits/limits.js';
import { LogIndexer, type LogIndex } from '../../../domain/builds/logs/log-index.js';
import { LineSearch } from '../../../domain/builds/logs/line-search.js';
import { Problem } from '../../../domain/problem.js';
import { readLog } from '../../../storage/logs/read-log.js';
import { LogCache } from './log-cache.js';
import type { ReadableLog } from './readable-log.js';

type LogSource = Pick<ReadableLog, 'store' | 'view' | 'size' | 'job'>;

/** Most offsets and groups that a process keeps, about 16 MB. */
const cache = new LogCache<LogIndex>(1_000_000, ({ offsets, groups }) => offsets.length + groups.length);

/**
 * Indexes the lines and groups of a log; that of a finished log is kept. Rejects with the reason of the signal once it
 * is aborted.
 */
export async function indexLog(log: LogSource, signal?: AbortSignal): Promise<LogIndex> {
  const { view, size } = log;
  const entry = cache.entry(log);
  if (entry.value) return entry.value;
  const indexer = new LogIndexer();
  for await (const part of readLog(entry.store, view, { end: size })) {
    signal?.throwIfAborted();
    indexer.push(part);
  }
  const index = indexer.end();
  entry.save(index);
  return index;
}

/**
 * Returns the numbers of the lines that contain `text`, in any case, at most 10,000. Throws `invalid` for an empty or
 * overlong text; rejects with the reason of the signal once it is aborted.
 */
export async function findLines(
  { store, view, size }: Pick<ReadableLog, 'store' | 'view' | 'size'>,
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

import { nextTurn } from '../../event-loop/turns.js';
import { LogLayout, type Segment } from '../../domain/builds/logs/layout.js';
import type { ChunkCursor, ChunkEntry, LogStore } from './chunk-index.js';
import { loadRun } from './packing.js';

/** Job of the log, and whether it is finished: gaps are skipped only then (see LogLayout). */
export interface LogView {
  jobId: string;
  finished: boolean;
}

const pageSize = 1000;
/** Entries looked up first by a reader that begins within the log: most want a part of it, such as its end. */
const firstPageSize = 32;
const sliceBytes = 64 * 1024;

/** An entry with its segment of the readable log; null if it adds nothing. */
export interface PlacedEntry {
  entry: ChunkEntry;
  segment: Segment<ChunkEntry> | null;
}

/**
 * The entries of a log in order, each once, page by page, from the one that adds the byte at `start`. Entries may be
 * merged into pieces meanwhile, and late chunks may arrive: where a gap shows, what covers it by now is looked up, so
 * that a reader never loses bytes to a compaction.
 */
export async function* placedEntries(
  { index }: LogStore,
  { jobId, finished }: LogView,
  start = 0,
): AsyncGenerator<PlacedEntry> {
  const position = start > 0 ? await index.seek(jobId, finished, start) : null;
  if (start > 0 && !position) return;
  const layout = new LogLayout(finished, position ?? undefined);
  let rawEnd = position?.rawEnd ?? 0;
  const place = (entry: ChunkEntry): PlacedEntry => {
    const segment = layout.place(entry);
    if (segment) rawEnd = entry.offset + entry.size;
    return { entry, segment };
  };
  // Only as far as the gap: what begins behind it comes from the pages, and would come a second time.
  const bridge = async function* (gapEnd = Infinity): AsyncGenerator<PlacedEntry> {
    while (rawEnd < gapEnd) {
      const [entry] = await index.covering(jobId, rawEnd);
      if (!entry) return;
      yield place(entry);
    }
  };
  let after: ChunkCursor | null = position?.before ?? null;
  for (let limit = position ? firstPageSize : pageSize; ; limit = pageSize) {
    const page: ChunkEntry[] = await index.list(jobId, after, limit);
    for (const entry of page) {
      yield* bridge(entry.offset);
      const placed = place(entry);
      if (layout.ended) return;
      yield placed;
      after = entry;
    }
    if (page.length < limit) break;
  }
  yield* bridge();
}

/** Bytes of the readable log. */
export async function measureLog({ index }: LogStore, { jobId, finished }: LogView): Promise<number> {
  return index.measure(jobId, finished);
}

/**
 * The bytes of the readable log from `start` up to `end` (not included), in slices of at most 64 KiB, one
 * object in memory at a time. Gives way to other work between slices.
 */
export async function* readLog(
  store: LogStore,
  view: LogView,
  { start = 0, end = Infinity }: { start?: number; end?: number } = {},
): AsyncGenerator<Uint8Array> {
  if (end <= start) return;
  for await (const { segment } of placedEntries(store, view, start)) {
    if (!segment) continue;
    const { entry, position, length, skip } = segment;
    if (position >= end) return;
    if (position + length <= start) continue;
    const from = Math.max(0, start - position);
    const until = Math.min(length, end - position);
    const run = (await load(store, view.jobId, entry, skip)).subarray(from, until);
    for (let i = 0; i < run.length; i += sliceBytes) {
      yield run.subarray(i, i + sliceBytes);
      await nextTurn();
    }
  }
}

/** The bytes of an entry from `skip` on; from the piece it was merged into, if that happened meanwhile. */
async function load(store: LogStore, jobId: string, entry: ChunkEntry, skip: number): Promise<Uint8Array> {
  const loaded = await loadRun(store.storage, entry);
  if (typeof loaded !== 'string') return loaded.bytes.subarray(skip);
  const first = entry.offset + skip;
  const end = entry.offset + entry.size;
  for (const other of await store.index.covering(jobId, first)) {
    if (other.key === entry.key || other.offset + other.size < end) continue;
    const run = await loadRun(store.storage, other);
    if (typeof run !== 'string') return run.bytes.subarray(first - other.offset, end - other.offset);
  }
  store.onDamage(jobId, entry, loaded);
  return notice(entry.size - skip);
}

/** Notice that replaces lost bytes with the same number of bytes, so that sizes and positions remain valid. */
function notice(length: number): Uint8Array {
  const text = '\n[part of this log is missing]\n';
  return Buffer.from(length < text.length ? '\n'.padStart(length) : text.padStart(length)).subarray(0, length);
}

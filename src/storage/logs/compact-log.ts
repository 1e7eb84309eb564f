import { pieceBytes, pieceMaxChunks } from '../../domain/limits/log-limits.js';
import type { Segment } from '../../domain/builds/logs/layout.js';
import type { ChunkEntry, LogRef, LogStore } from './chunk-index.js';
import { joinRuns, type LoadedRun, loadRun, storeRun } from './packing.js';
import { placedEntries } from './read-log.js';

/** Result of a compaction. */
export interface Compaction {
  pieces: number;
  chunksMerged: number;
}

/** Neighbouring chunks waiting to become one piece. */
interface Batch {
  segments: Segment<ChunkEntry>[];
  runs: LoadedRun[];
  bytes: number;
  rawEnd: number;
}

function emptyBatch(): Batch {
  return { segments: [], runs: [], bytes: 0, rawEnd: -1 };
}

/**
 * Merges the chunks of a finished job's log into pieces of about 1 MiB, so that reading it, or its end, needs few
 * objects. Chunks of some size are put together as they are, without compressing them again. Holds one piece in memory.
 * It writes a piece, replaces its chunks' rows by the piece's, then deletes the chunks' objects: interrupting it at any
 * point leaves a whole log, and the next run continues. Two concurrent runs do no harm.
 */
export async function compactLog(store: LogStore, ref: LogRef): Promise<Compaction> {
  const done: Compaction = { pieces: 0, chunksMerged: 0 };
  let batch = emptyBatch();
  const close = async (): Promise<void> => {
    if (await writePiece(store, ref, batch)) {
      done.pieces++;
      done.chunksMerged += batch.segments.length;
    }
    batch = emptyBatch();
  };

  for await (const { entry, segment } of placedEntries(store, { jobId: ref.jobId, finished: true })) {
    if (!segment) {
      await remove(store, ref, [entry], null);
      continue;
    }
    const rawStart = entry.offset + segment.skip;
    const full = batch.bytes + segment.length > pieceBytes || batch.segments.length === pieceMaxChunks;
    const run = entry.sequence < 0 ? null : await loadRun(store.storage, entry);
    const merges = run !== null && typeof run !== 'string';
    if (!merges || full || rawStart !== batch.rawEnd) await close();
    if (!merges) continue;
    batch.segments.push(segment);
    batch.runs.push(segment.skip === 0 ? run : { bytes: run.bytes.subarray(segment.skip), gzip: null });
    batch.bytes += segment.length;
    batch.rawEnd = entry.offset + entry.size;
  }
  await close();
  return done;
}

async function writePiece(store: LogStore, ref: LogRef, { segments, runs }: Batch): Promise<boolean> {
  const [first] = segments;
  if (!first || segments.length === 1) return false;
  const offset = first.entry.offset + first.skip;
  const bytes = Buffer.concat(runs.map((run) => run.bytes));
  const run = { offset, sequence: -1 - first.entry.sequence, bytes, gzip: await joinRuns(runs) };
  const piece = await storeRun(store.storage, ref, 'pieces', run);
  return remove(
    store,
    ref,
    segments.map(({ entry }) => entry),
    piece,
  );
}

/**
 * Takes entries out of the index, then deletes their objects. Where another compaction was faster nothing is
 * deleted: the piece may be the other's too, and `resources/installation/storage/sweep-storage.ts` collects it if it is
 * not.
 */
async function remove(store: LogStore, ref: LogRef, entries: ChunkEntry[], piece: ChunkEntry | null): Promise<boolean> {
  if (!(await store.index.replace(ref.jobId, entries, piece))) return false;
  for (const { key } of entries) await store.storage.delete(key);
  return true;
}

import type { ChunkEntry, ChunkPosition, LogRef, LogStore } from './chunk-index.js';
import { objectKey, storeRun } from './packing.js';

/** A chunk as an agent sends it, unpacked. */
export interface LogChunk {
  sequence: number;
  /** Offset of the chunk in the raw log, in bytes. */
  offset: number;
  /** Length of `bytes` according to the agent. */
  size: number;
  bytes: Uint8Array;
  /** The same bytes as gzip, if they were sent so; stored as it is. */
  gzip?: Uint8Array | null | undefined;
}

/**
 * - `stored`: durable and recorded.
 * - `repeated`: this very chunk is there already; nothing changed.
 * - `conflict`: another chunk has this number; the first stays, this one is dropped.
 * - `discarded`: empty, or beyond the limits of a log; taken and thrown away.
 * - `refused`: contradicts itself; to be answered 4xx, upon which the agent drops it.
 *
 * All but `refused` are to be answered 2xx.
 */
export type AppendOutcome =
  | { outcome: 'stored'; entry: ChunkEntry }
  | { outcome: 'repeated' | 'conflict' | 'discarded' }
  | { outcome: 'refused'; message: string };

function contradiction({ sequence, offset, size, bytes }: LogChunk, maxBytes: number): string | null {
  const numbers = Object.entries({ sequence, offset, size });
  const wrong = numbers.find(([, number]) => !Number.isSafeInteger(number) || number < 0);
  if (wrong) return `${wrong[0]} must be a non-negative integer`;
  if (bytes.length !== size) return `size is ${size} but the chunk has ${bytes.length} bytes`;
  if (size > maxBytes) return `chunk is larger than ${maxBytes} bytes`;
  return null;
}

/**
 * Takes one chunk. Chunks may come in any order, again, and at the same time; the bytes are durable in storage
 * before they are recorded, and recorded before this returns. Must not be called inside a transaction. `place` is the
 * chunk's place in the index if the caller has just read it.
 */
export async function appendChunk(
  store: LogStore,
  ref: LogRef,
  chunk: LogChunk,
  place?: ChunkPosition,
): Promise<AppendOutcome> {
  const { storage, index, limits } = store;
  const message = contradiction(chunk, limits.chunkMaxBytes);
  if (message !== null) return { outcome: 'refused', message };

  const { sequence, offset } = chunk;
  const bytes = chunk.bytes.subarray(0, Math.max(0, limits.logMaxBytes - offset));
  if (bytes.length === 0) return { outcome: 'discarded' };
  const key = objectKey(ref, 'chunks', offset, sequence, bytes);
  const { known, ...used } = place ?? (await index.place(ref.jobId, sequence));
  if (known) return { outcome: known.key === key ? 'repeated' : 'conflict' };
  if (used.entries >= limits.logMaxChunks || used.bytes + bytes.length > limits.logMaxBytes) {
    return { outcome: 'discarded' };
  }
  const gzip = bytes.length === chunk.size ? (chunk.gzip ?? null) : null;
  const winner = await index.insertIfAbsent(
    ref.jobId,
    storeRun(storage, ref, 'chunks', { offset, sequence, bytes, gzip }, key),
  );
  if (winner.key === key) return { outcome: 'stored', entry: winner };
  await storage.delete(key);
  return { outcome: winner.sequence < 0 ? 'repeated' : 'conflict' };
}

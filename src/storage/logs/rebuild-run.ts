import type { ChunkEntry, LogStore } from './chunk-index.js';
import { digestOf, loadRun, pack } from './packing.js';

/**
 * The object of a chunk that was merged into a piece since its row was read: its bytes out of the piece, compressed as
 * a chunk is. Null if no entry of the log has these bytes any more.
 */
export async function rebuildRun(
  { index, storage }: LogStore,
  jobId: string,
  { key, offset, size }: Pick<ChunkEntry, 'key' | 'offset' | 'size'>,
): Promise<Buffer | null> {
  for (const entry of await index.covering(jobId, offset)) {
    if (entry.key === key || entry.offset > offset || entry.offset + entry.size < offset + size) continue;
    const loaded = await loadRun(storage, entry);
    if (typeof loaded === 'string') continue;
    const bytes = loaded.bytes.subarray(offset - entry.offset, offset - entry.offset + size);
    // A chunk that came twice with other bytes was never merged: the key says which bytes are meant.
    if (key.endsWith(`-${digestOf(bytes)}.gz`)) return pack(bytes);
  }
  return null;
}

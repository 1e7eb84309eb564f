import { logFolder, type ChunkCursor, type ChunkEntry, type LogRef, type LogStore } from './chunk-index.js';

const pageSize = 1000;

/** Deletes a log: first what points to the bytes, then the bytes, so that nobody finds a row without them. */
export async function deleteLog(store: LogStore, ref: LogRef): Promise<void> {
  await store.index.clear(ref.jobId);
  await store.storage.deletePrefix(logFolder(ref));
}

/**
 * Deletes objects of a finished job's log that no row points to (left by a process that died between writing and
 * recording), if they are older than `before`, and reports rows whose object is gone. Gives the number deleted.
 */
export async function sweepLog(store: LogStore, ref: LogRef, before: Date): Promise<number> {
  const rows = new Map<string, ChunkEntry>();
  let after: ChunkCursor | null = null;
  for (;;) {
    const page: ChunkEntry[] = await store.index.list(ref.jobId, after, pageSize);
    for (const entry of page) rows.set(entry.key, entry);
    after = page.at(-1) ?? null;
    if (page.length < pageSize) break;
  }
  let deleted = 0;
  for await (const { key, modifiedAt } of store.storage.list(logFolder(ref))) {
    if (rows.delete(key) || modifiedAt >= before) continue;
    await store.storage.delete(key);
    deleted++;
  }
  for (const entry of rows.values()) store.onDamage(ref.jobId, entry, 'missing');
  return deleted;
}

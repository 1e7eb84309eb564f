import { logFolder, type LogRef, type LogStore } from './chunk-index.js';

/** Deletes a log: the index first and then the objects, so that no reader finds a row without its object. */
export async function deleteLog(store: LogStore, ref: LogRef): Promise<void> {
  await store.index.clear(ref.jobId);
  await store.storage.deletePrefix(logFolder(ref));
}

import type { Services } from '../services/services.js';
import { Problem } from '../domain/problem.js';
import { StorageError } from '../storage/storage.js';

/** Seconds after which there may be room again: somebody or retention has to make it. */
const retryAfterFull = 60;

/** The refusal of new bytes for want of room, to be sent again later: agents repeat what is answered 5xx. */
export const storageFull = () =>
  new Problem('storage_full', 'There is no space left for logs and artifacts', { retryAfter: retryAfterFull });

/** Throws `storage_full` (507) where so many more bytes would leave less free than `DISK_RESERVE`. */
export async function refuseWithoutRoom({ diskRoom }: Pick<Services, 'diskRoom'>, bytes: number): Promise<void> {
  if (diskRoom && !(await diskRoom.has(bytes))) throw storageFull();
}

/**
 * Turns a storage failure into `storage_full` (507) or `unavailable` (503, retry later) and logs its reason; returns
 * any other error unchanged.
 */
export function storageProblem(error: unknown, { log }: Pick<Services, 'log'>): unknown {
  if (!(error instanceof StorageError)) return error;
  if (error.code !== 'full' && error.code !== 'unavailable') return error;
  log.error({ err: error, cause: String(error.cause ?? '') }, 'storage of logs and artifacts failed');
  return error.code === 'full'
    ? storageFull()
    : new Problem('unavailable', 'Storage of logs and artifacts cannot be used right now', { retryAfter: 5 });
}

import type { Services } from '../services/services.js';
import { Problem } from '../domain/problem.js';
import { StorageError } from '../storage/storage.js';

/**
 * Turns a storage failure into `unavailable` (503, retry later) and logs its reason; returns any other error unchanged.
 */
export function storageProblem(error: unknown, { log }: Pick<Services, 'log'>): unknown {
  if (!(error instanceof StorageError)) return error;
  if (error.code !== 'full' && error.code !== 'unavailable') return error;
  log.error({ err: error, cause: String(error.cause ?? '') }, 'storage of logs and artifacts failed');
  return error.code === 'full'
    ? new Problem('unavailable', 'There is no space left for logs and artifacts', { retryAfter: 60 })
    : new Problem('unavailable', 'Storage of logs and artifacts cannot be used right now', { retryAfter: 5 });
}

import type { LogStore } from '../../../storage/logs/chunk-index.js';
import type { ReadableLog } from './readable-log.js';

/** Identifies the bytes of a log that does not grow any more; null for one that may. */
export function versionOfLog({ job, size }: Pick<ReadableLog, 'job' | 'size'>): string | null {
  return job.logCompactedAt === null ? null : `${job.id} ${size} ${job.logCompactedAt.getTime()}`;
}

/**
 * The same log store, and whether bytes were missing in what was read through it: what was made of them is not kept,
 * because they may be back later.
 */
export function noticingDamage(store: LogStore): { store: LogStore; isDamaged: () => boolean } {
  let damaged = false;
  const onDamage: LogStore['onDamage'] = (...damage) => {
    damaged = true;
    store.onDamage(...damage);
  };
  return { store: { ...store, onDamage }, isDamaged: () => damaged };
}

import { LRUCache } from 'lru-cache';
import type { LogStore } from '../../../storage/logs/chunk-index.js';
import type { ObjectStorage } from '../../../storage/storage.js';
import type { ReadableLog } from './readable-log.js';

type CachedLog = Pick<ReadableLog, 'store' | 'size' | 'job'>;

/** The place of one log in a cache. */
export interface LogEntry<Value> {
  /** What was kept of the log; undefined if nothing was. */
  readonly value: Value | undefined;
  /** The log's store, by which `value` is to be computed: it notices missing bytes. */
  readonly store: LogStore;
  /** Whether what is computed may be kept: the log does not grow any more. */
  readonly isFinal: boolean;
  /** Keeps what was computed; does nothing if the log may grow, or if bytes were missing, because these may be back. */
  save(value: Value): void;
}

/** Values computed from logs, those of the logs used last; each storage has its own. */
export class LogCache<Value extends object> {
  private readonly byStorage = new WeakMap<ObjectStorage, LRUCache<string, Value>>();

  /**
   * @param maxSize most that a process keeps, by the sum of `sizeOf`
   */
  constructor(
    private readonly maxSize: number,
    private readonly sizeOf: (value: Value) => number,
  ) {}

  /** Looks a log up; only finished logs are found. */
  entry(log: CachedLog): LogEntry<Value> {
    const { storage } = log.store;
    const cache = this.byStorage.get(storage) ?? new LRUCache<string, Value>({ maxSize: this.maxSize });
    this.byStorage.set(storage, cache);
    const version = versionOfLog(log);
    let isDamaged = false;
    const onDamage: LogStore['onDamage'] = (...damage) => {
      isDamaged = true;
      log.store.onDamage(...damage);
    };
    return {
      value: version === null ? undefined : cache.get(version),
      store: { ...log.store, onDamage },
      isFinal: version !== null,
      save: (value) => {
        if (version !== null && !isDamaged) cache.set(version, value, { size: Math.max(1, this.sizeOf(value)) });
      },
    };
  }
}

/** Identifies the bytes of a log that does not grow any more; null for one that may. */
function versionOfLog({ job, size }: CachedLog): string | null {
  return job.logCompactedAt === null ? null : `${job.id} ${size} ${job.logCompactedAt.getTime()}`;
}

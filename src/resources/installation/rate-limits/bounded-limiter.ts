import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Keys of one limiter; beyond them the key whose use is longest ago is forgotten. */
const mostKeys = 10_000;

/**
 * A limiter of this process whose keys are bounded: those of the library stay until their time is over, however many
 * there are.
 */
export class BoundedLimiter {
  private readonly limiter: RateLimiterMemory;
  private readonly keys = new LRUCache<string, true>({
    max: mostKeys,
    dispose: (_value, key, reason) => {
      if (reason === 'evict') void this.limiter.delete(key);
    },
  });

  /** @param options.duration of a window in seconds */
  constructor(options: { keyPrefix?: string; points: number; duration: number }) {
    this.limiter = new RateLimiterMemory(options);
  }

  /** Number of the keys that are counted. */
  get size(): number {
    return this.keys.size;
  }

  get(key: string): Promise<RateLimiterRes | null> {
    return this.limiter.get(key);
  }

  /** Spends points; the result says also whether they were too many. */
  async consume(key: string, points = 1): Promise<RateLimiterRes> {
    this.keys.set(key, true);
    try {
      return await this.limiter.consume(key, points);
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

/** Time that batches aim at. */
const batchMs = 100;
const mostRows = 4_000;
const longestRestMs = 500;

/**
 * Sizes batches of deletions, so that requests go first: each takes about a tenth of a second, and is followed by a
 * rest of the same length.
 */
export class Pace {
  /** Rows that the next batch may have. */
  rows: number;
  private took = 0;

  /** @param leastRows rows of a batch that is slow for want of anything but rows, and of the first one */
  constructor(private readonly leastRows = 200) {
    this.rows = leastRows;
  }

  /** Does a batch, and sizes the next one by the time that it took. */
  async timed<T>(work: () => Promise<T>): Promise<T> {
    const result = await this.measure(work);
    const factor = Math.min(2, Math.max(0.5, batchMs / Math.max(1, this.took)));
    this.rows = Math.round(Math.min(mostRows, Math.max(this.leastRows, this.rows * factor)));
    return result;
  }

  /** Does work whose size is not that of a batch, before a rest. */
  async measure<T>(work: () => Promise<T>): Promise<T> {
    const begin = performance.now();
    const result = await work();
    this.took = performance.now() - begin;
    return result;
  }

  /** Rests for as long as the last batch took; ends early once the signal is aborted. */
  async rest(signal: AbortSignal | undefined): Promise<void> {
    const pause = Math.min(longestRestMs, this.took);
    await sleep(pause, undefined, signal ? { signal } : {}).catch(() => undefined);
  }
}

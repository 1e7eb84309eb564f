const maxLocks = 10_000;
const maxTextLength = 1_000;

interface Lock {
  value: string;
  /** The job that set the value. */
  job: string;
}

/**
 * The locks of `buildkite-agent lock`, shared by all agents of one process. A lock is a text that is exchanged only by
 * who knows its present value; the empty text means free.
 */
export class LockTable {
  private readonly locks = new Map<string, Lock>();

  get(key: string): string {
    return this.locks.get(key)?.value ?? '';
  }

  /**
   * Sets a lock to `next` if its value is `present`.
   * @returns the value afterwards, and whether it was exchanged
   * @throws RangeError when a text is too long or there are too many locks
   */
  compareAndSwap(key: string, present: string, next: string, job: string): { value: string; swapped: boolean } {
    if (key.length > maxTextLength || next.length > maxTextLength)
      throw new RangeError(`a lock's key and value have at most ${maxTextLength} characters`);
    const value = this.get(key);
    if (value !== present) return { value, swapped: false };
    if (!this.locks.has(key) && this.locks.size >= maxLocks)
      throw new RangeError(`there are ${maxLocks} locks already`);
    if (next === '') this.locks.delete(key);
    else this.locks.set(key, { value: next, job });
    return { value: next, swapped: true };
  }

  /** Frees the locks that an ended job left, except those that say that something is done; returns their keys. */
  releaseOf(job: string): string[] {
    const left = [...this.locks].filter(([, lock]) => lock.job === job && lock.value !== 'done').map(([key]) => key);
    for (const key of left) this.locks.delete(key);
    return left;
  }
}

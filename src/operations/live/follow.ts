/** A stream that can be ended from outside while it waits: an async generator alone would first wait for what it waits for. */
export function endable<T>(make: (signal: AbortSignal) => AsyncGenerator<T>, ends?: AbortSignal): AsyncIterableIterator<T> & { return(): Promise<IteratorResult<T>> } {
  const control = new AbortController();
  const signal = ends ? AbortSignal.any([control.signal, ends]) : control.signal;
  const source = make(signal);
  return {
    next: () => source.next(),
    return: async () => {
      control.abort();
      return source.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** What following needs of who follows: throws where the caller may no longer (token revoked, access lost, thing deleted). */
export interface Follower {
  /** Checks again who asks and what they may see; everything read for the next message is read as of now. */
  check(): Promise<void>;
}

/** Looks at the follower's rights again where the last look is older than this. */
const freshForMs = 1_000;

/** Calls a check at most once a second, however many messages there are. */
export class Freshness {
  private checkedAt = -Infinity;

  constructor(private readonly follower: Follower) {}

  async ensure(): Promise<void> {
    const now = performance.now();
    if (now - this.checkedAt < freshForMs) return;
    await this.follower.check();
    this.checkedAt = now;
  }
}

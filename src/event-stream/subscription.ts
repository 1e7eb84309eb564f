/**
 * Returns a stream that can be ended from outside while it waits; an async generator alone would end only after its
 * pending wait.
 */
export function endable<T>(
  make: (signal: AbortSignal) => AsyncGenerator<T>,
  ends?: AbortSignal,
): AsyncIterableIterator<T> & { return(): Promise<IteratorResult<T>> } {
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

/** Checks the rights of the subscriber; throws where the token is revoked, access is lost or the resource deleted. */
export interface Follower {
  /** Checks the subscriber's identity and rights again; everything for the next message is read as of now. */
  check(): Promise<void>;
}

/** Checks the subscriber's rights again if the last check is older than this. */
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

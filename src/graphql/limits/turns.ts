import pLimit, { type LimitFunction } from 'p-limit';
import { limits } from '../../domain/limits/limits.js';
import { Problem } from '../../domain/problem.js';

/**
 * Limits the documents of each user that run at a time (`graphqlDocumentsAtOnce`) and that wait
 * (`graphqlDocumentsWaiting`).
 */
export class DocumentTurns {
  private readonly users = new Map<string, LimitFunction>();

  /**
   * Runs `work` when it is the user's turn. Throws `rate_limited` if too many wait; rejects with the signal's reason if
   * it aborts first.
   */
  async take<T>(userId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const turns = this.users.get(userId) ?? pLimit(limits.graphqlDocumentsAtOnce);
    this.users.set(userId, turns);
    if (turns.pendingCount >= limits.graphqlDocumentsWaiting) {
      throw new Problem(
        'rate_limited',
        `${limits.graphqlDocumentsWaiting} of your operations are waiting already. Please send fewer at a time.`,
        { retryAfter: 1 },
      );
    }
    try {
      return await turns(() => {
        signal.throwIfAborted();
        return work();
      });
    } finally {
      if (turns.activeCount + turns.pendingCount === 0) this.users.delete(userId);
    }
  }
}

/** Heavy documents of all users that run at a time. */
const heavyAtOnce = 2;

/**
 * Limits heavy documents to one of each user and `heavyAtOnce` of all users. Each keeps the process and the database
 * busy, so running more at once only takes more memory. A user's second document waits for the first and delays no
 * other user.
 */
export class HeavyTurns {
  private readonly users = new Map<string, LimitFunction>();
  private readonly all = pLimit(heavyAtOnce);

  /**
   * Waits for a turn and returns the function that ends it, which may be called repeatedly. Rejects with the signal's
   * reason if it aborts.
   */
  async take(userId: string, signal: AbortSignal | undefined): Promise<() => void> {
    const own = this.users.get(userId) ?? pLimit(1);
    this.users.set(userId, own);
    return new Promise((resolve, reject) => {
      const abandon = () => reject(signal?.reason as Error);
      signal?.addEventListener('abort', abandon, { once: true });
      const turn = () =>
        new Promise<void>((end) => {
          signal?.removeEventListener('abort', abandon);
          if (signal?.aborted) end();
          resolve(end);
        });
      void own(() => this.all(turn)).finally(() => {
        if (own.activeCount + own.pendingCount === 0) this.users.delete(userId);
      });
    });
  }
}

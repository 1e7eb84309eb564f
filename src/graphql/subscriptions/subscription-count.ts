import { limits } from '../../domain/limits/limits.js';
import { Problem } from '../../domain/problem.js';

/** Counts the open subscriptions of each user in this process. */
export class SubscriptionCount {
  private readonly byUser = new Map<string, number>();

  /**
   * Counts a subscription of a user and returns the function that releases it; throws `rate_limited` above
   * `subscriptionsPerUser`.
   */
  take(userId: string): () => void {
    const count = this.byUser.get(userId) ?? 0;
    if (count >= limits.subscriptionsPerUser)
      throw new Problem('rate_limited', `A user has at most ${limits.subscriptionsPerUser} subscriptions at a time`);
    this.byUser.set(userId, count + 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const left = (this.byUser.get(userId) ?? 1) - 1;
      if (left > 0) this.byUser.set(userId, left);
      else this.byUser.delete(userId);
    };
  }
}

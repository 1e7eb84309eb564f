import { limits } from '../../domain/limits.js';
import { Problem } from '../../domain/problem.js';

/** Counts the subscriptions under way in this process, by user. */
export class SubscriptionCount {
  private readonly byUser = new Map<string, number>();

  /** Takes one for a user; returns what gives it back. Refuses with `rate_limited` above the limit of docs/limits.md. */
  take(userId: string): () => void {
    const held = this.byUser.get(userId) ?? 0;
    if (held >= limits.subscriptionsPerUser) throw new Problem('rate_limited', `A user has at most ${limits.subscriptionsPerUser} subscriptions at a time`);
    this.byUser.set(userId, held + 1);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const left = (this.byUser.get(userId) ?? 1) - 1;
      if (left > 0) this.byUser.set(userId, left);
      else this.byUser.delete(userId);
    };
  }
}

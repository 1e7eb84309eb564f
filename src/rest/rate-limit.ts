import type { Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { UserActor } from '../auth/actor.js';
import type { Context, Services } from '../context.js';
import { Problem } from '../domain/problem.js';

const windowSeconds = 60;

/** One budget of requests a minute; off where the limit is 0. */
class Budget {
  private readonly limiter: RateLimiterMemory | null;

  constructor(
    private readonly limit: number,
    private readonly scope: 'rest' | 'rest_user',
    private readonly prefix: string,
  ) {
    this.limiter = limit > 0 ? new RateLimiterMemory({ points: limit, duration: windowSeconds }) : null;
  }

  /** Takes one request off the budget and says what is left in the reply's headers (rest-facts 1.5). */
  async take(key: string, response: Response): Promise<void> {
    if (!this.limiter) return;
    const state = await this.limiter.consume(key).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    });
    const reset = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    const name = `RateLimit-${this.prefix}`;
    response.set({ [`${name}Scope`]: this.scope, [`${name}Limit`]: String(this.limit), [`${name}Remaining`]: String(Math.max(0, state.remainingPoints)), [`${name}Reset`]: String(reset) });
    if (state.consumedPoints <= this.limit) return;
    response.set(`${name}Warning`, 'You have exceeded your API rate limit.');
    throw new Problem('rate_limited', `You have exceeded your API rate limit. Please wait ${reset} seconds before making more requests.`, {
      retryAfter: reset,
      public: { scope: this.scope, limit: this.limit, current: state.consumedPoints, reset },
    });
  }
}

/**
 * The limits of an organization and of a user, both at once (rulings 12). Counted by each process on its own: a
 * replica more means so much more room, and no statement is spent on counting.
 */
export class RateLimits {
  private readonly organization: Budget;
  private readonly user: Budget;
  /** Slugs of the organizations a user is in, kept for a window, so that strangers cannot use up somebody's budget. */
  private readonly slugs = new Map<string, { slugs: Set<string>; until: number }>();

  constructor({ limits, clock }: Services) {
    this.organization = new Budget(limits.requestsPerMinuteOrganization, 'rest', '');
    this.user = new Budget(limits.requestsPerMinuteUser, 'rest_user', 'User-');
    this.now = () => clock.now().getTime();
    this.active = limits.requestsPerMinuteOrganization > 0;
  }

  private readonly now: () => number;
  private readonly active: boolean;

  /** Counts a request of a user, and of the organization its path names where the user is a member; throws `rate_limited`. */
  async count(context: Context, actor: UserActor, organization: string | undefined, response: Response): Promise<void> {
    await this.user.take(actor.userId, response);
    if (this.active && organization !== undefined && (await this.memberOf(context, actor)).has(organization)) await this.organization.take(organization, response);
  }

  private async memberOf(context: Context, actor: UserActor): Promise<Set<string>> {
    const known = this.slugs.get(actor.userId);
    if (known && known.until > this.now()) return known.slugs;
    const rows = await context.load.organization.loadMany([...actor.roles.keys()]);
    const slugs = new Set(rows.flatMap((row) => (row && !(row instanceof Error) ? [row.slug] : [])));
    if (this.slugs.size >= 10_000) this.slugs.clear();
    this.slugs.set(actor.userId, { slugs, until: this.now() + windowSeconds * 1000 });
    return slugs;
  }
}

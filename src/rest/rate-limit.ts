import type { Response } from 'express';
import type { UserActor } from '../auth/actor.js';
import type { Context, Services } from '../context.js';
import { Problem } from '../domain/problem.js';
import { countRequests } from '../operations/rate-limits/count-requests.js';

const windowMs = 60_000;
/** A process takes this part of a budget at a time: so many statements a minute, whatever the traffic. */
const leasesOfABudget = 100;
const leasesAtMost = 10_000;

/** What a process has taken of a budget for itself. */
interface Lease {
  windowStart: number;
  /** The highest number that any replica is known to have taken. */
  taken: number;
  /** Numbers that this one took and has not used yet: each take is a row of its own, as others take in between. */
  free: { next: number; last: number }[];
  /** Refused after the budget was gone. */
  refused: number;
}

/**
 * One budget of requests a minute, shared by all replicas; off where the limit is 0. Each takes a hundredth of it at a
 * time, so that no more than the limit is ever let through and what is left is told to within a hundredth a replica.
 */
class Budget {
  private readonly leases = new Map<string, Lease>();
  private readonly size: number;

  constructor(
    private readonly limit: number,
    private readonly scope: 'rest' | 'rest_user',
    private readonly prefix: string,
  ) {
    this.size = Math.max(1, Math.floor(limit / leasesOfABudget));
  }

  /** Takes one request off the budget and says what is left in the reply's headers (rest-facts 1.5). */
  async take(context: Context, subjectId: string, response: Response): Promise<void> {
    if (this.limit === 0) return;
    const now = context.now.getTime();
    const windowStart = now - (now % windowMs);
    const used = await this.use(context, subjectId, windowStart);
    const reset = Math.max(1, Math.ceil((windowStart + windowMs - now) / 1000));
    const name = `RateLimit-${this.prefix}`;
    response.set({ [`${name}Scope`]: this.scope, [`${name}Limit`]: String(this.limit), [`${name}Remaining`]: String(Math.max(0, this.limit - used)), [`${name}Reset`]: String(reset) });
    if (used <= this.limit) return;
    response.set(`${name}Warning`, 'You have exceeded your API rate limit.');
    throw new Problem('rate_limited', `You have exceeded your API rate limit. Please wait ${reset} seconds before making more requests.`, {
      retryAfter: reset,
      public: { scope: this.scope, limit: this.limit, current: used, reset },
    });
  }

  /** The number of this request in the window; above the limit it is not let through. */
  private async use(context: Context, subjectId: string, windowStart: number): Promise<number> {
    let lease = this.leases.get(subjectId);
    if (lease?.windowStart !== windowStart) {
      lease = { windowStart, taken: 0, free: [], refused: 0 };
      if (this.leases.size >= leasesAtMost) this.leases.clear();
      this.leases.set(subjectId, lease);
    }
    const [range] = lease.free;
    if (range) {
      if (range.next === range.last) lease.free.shift();
      return range.next++;
    }
    if (lease.taken >= this.limit) {
      lease.refused += 1;
      return lease.taken + lease.refused;
    }
    const last = await countRequests(context, subjectId, new Date(windowStart), this.size);
    lease.taken = Math.max(lease.taken, last);
    const first = last - this.size + 1;
    // Whoever asked has the first number, even where later ones came back before it.
    if (first < last) lease.free.push({ next: first + 1, last });
    return first;
  }
}

/** The limits of an organization and of a user, both at once, counted over all replicas (rulings 12). */
export class RateLimits {
  private readonly organization: Budget;
  private readonly user: Budget;
  /** Organizations a user is in by their slugs, kept for a window, so that strangers cannot use up somebody's budget. */
  private readonly memberships = new Map<string, { ids: Map<string, string>; until: number }>();
  private readonly active: boolean;

  constructor({ limits }: Services) {
    this.organization = new Budget(limits.requestsPerMinuteOrganization, 'rest', '');
    this.user = new Budget(limits.requestsPerMinuteUser, 'rest_user', 'User-');
    this.active = limits.requestsPerMinuteOrganization > 0;
  }

  /** Counts a request of a user, and of the organization its path names where the user is a member; throws `rate_limited`. */
  async count(context: Context, actor: UserActor, organization: string | undefined, response: Response): Promise<void> {
    await this.user.take(context, actor.userId, response);
    if (!this.active || organization === undefined) return;
    const id = (await this.organizationsOf(context, actor)).get(organization);
    if (id !== undefined) await this.organization.take(context, id, response);
  }

  private async organizationsOf(context: Context, actor: UserActor): Promise<Map<string, string>> {
    const now = context.now.getTime();
    const known = this.memberships.get(actor.apiTokenId);
    if (known && known.until > now) return known.ids;
    const rows = await context.load.organization.loadMany([...actor.roles.keys()]);
    const ids = new Map(rows.flatMap((row): [string, string][] => (row && !(row instanceof Error) ? [[row.slug, row.id]] : [])));
    if (this.memberships.size >= leasesAtMost) this.memberships.clear();
    this.memberships.set(actor.apiTokenId, { ids, until: now + windowMs });
    return ids;
  }
}

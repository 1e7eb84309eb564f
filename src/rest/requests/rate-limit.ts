import type { ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { credentialOf, type UserActor } from '../../auth/actor.js';
import type { Context } from '../../request/context.js';
import type { Services } from '../../services/services.js';
import { Problem } from '../../domain/problem.js';
import { countRequests } from '../../resources/installation/rate-limits/count-requests.js';
import {
  rateLimitWindowMs as windowMs,
  rateLimitWindowStart,
} from '../../resources/installation/rate-limits/requests-in-window.js';

/** Each lease is this fraction of a budget, which bounds the statements of a minute independently of the traffic. */
const leasesOfABudget = 100;
const leasesAtMost = 10_000;
/** Memberships of tokens that are known, in organizations of all of them together. */
const membershipsAtMost = 100_000;

/** A request that is counted. */
interface Counted {
  now: Date;
  /** The context of its statements, which few requests need. */
  context: () => Context;
}

/** Request numbers that this process has reserved from a budget. */
interface Lease {
  windowStart: number;
  /** Highest number known to be reserved by any replica. */
  taken: number;
  /** Reserved but unused ranges of numbers; other replicas reserve in between, so the ranges are not contiguous. */
  free: { next: number; last: number }[];
  /** Requests refused after the budget was used up. */
  refused: number;
}

/**
 * A budget of requests per minute that all replicas share; a limit of 0 disables it. Each replica reserves a hundredth
 * of the budget at a time, so the limit is never exceeded, and `Remaining` is accurate to a hundredth of the limit per
 * replica.
 */
class Budget {
  private readonly leases = new LRUCache<string, Lease>({ max: leasesAtMost });
  private readonly size: number;

  constructor(
    private readonly limit: number,
    private readonly scope: 'rest' | 'rest_user',
    private readonly prefix: string,
  ) {
    this.size = Math.max(1, Math.floor(limit / leasesOfABudget));
  }

  /** Counts one request and sets the `RateLimit-*` headers of the reply; throws `rate_limited` above the limit. */
  async take({ now: at, context }: Counted, subjectId: string, response: ServerResponse): Promise<void> {
    if (this.limit === 0) return;
    const now = at.getTime();
    const windowStart = rateLimitWindowStart(now);
    const used = await this.use(context, subjectId, windowStart);
    const reset = Math.max(1, Math.ceil((windowStart + windowMs - now) / 1000));
    const name = `RateLimit-${this.prefix}`;
    response.setHeader(`${name}Scope`, this.scope);
    response.setHeader(`${name}Limit`, String(this.limit));
    response.setHeader(`${name}Remaining`, String(Math.max(0, this.limit - used)));
    response.setHeader(`${name}Reset`, String(reset));
    if (used <= this.limit) return;
    response.setHeader(`${name}Warning`, 'You have exceeded your API rate limit.');
    throw new Problem(
      'rate_limited',
      `You have exceeded your API rate limit. Please wait ${reset} seconds before making more requests.`,
      {
        retryAfter: reset,
        public: { scope: this.scope, limit: this.limit, current: used, reset },
      },
    );
  }

  /** Returns the number of this request in the window, from 1; the caller refuses numbers above the limit. */
  private async use(context: () => Context, subjectId: string, windowStart: number): Promise<number> {
    let lease = this.leases.get(subjectId);
    if (lease?.windowStart !== windowStart) {
      lease = { windowStart, taken: 0, free: [], refused: 0 };
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
    const last = await countRequests(context(), subjectId, new Date(windowStart), this.size);
    lease.taken = Math.max(lease.taken, last);
    const first = last - this.size + 1;
    // The request that asked gets the first number, even if later numbers arrived before it.
    if (first < last) lease.free.push({ next: first + 1, last });
    return first;
  }
}

/** Rate limits of organizations and users, counted across all replicas. */
export class RateLimits {
  private readonly organization: Budget;
  private readonly user: Budget;
  /** Organization ids by slug for each API token, cached for a window. Only members spend an organization's budget. */
  private readonly memberships = new LRUCache<string, { ids: Map<string, string>; until: number }>({
    maxSize: membershipsAtMost,
    sizeCalculation: ({ ids }) => 1 + ids.size,
  });
  private readonly active: boolean;

  constructor({ limits }: Services) {
    this.organization = new Budget(limits.requestsPerMinuteOrganization, 'rest', '');
    this.user = new Budget(limits.requestsPerMinuteUser, 'rest_user', 'User-');
    this.active = limits.requestsPerMinuteOrganization > 0;
  }

  /**
   * Counts a request against the user and, if the user is a member, against the organization (a slug) in its path.
   * Throws `rate_limited` with `retryAfter` in seconds.
   */
  async count(
    counted: Counted,
    actor: UserActor,
    organization: string | undefined,
    response: ServerResponse,
  ): Promise<void> {
    await this.user.take(counted, actor.userId, response);
    if (!this.active || organization === undefined) return;
    const id = (await this.organizationsOf(counted, actor)).get(organization);
    if (id !== undefined) await this.organization.take(counted, id, response);
  }

  private async organizationsOf({ now: at, context }: Counted, actor: UserActor): Promise<Map<string, string>> {
    const now = at.getTime();
    const known = this.memberships.get(credentialOf(actor));
    if (known && known.until > now) return known.ids;
    const rows = await context().load.organization.loadMany([...actor.roles.keys()]);
    const ids = new Map(
      rows.flatMap((row): [string, string][] => (row && !(row instanceof Error) ? [[row.slug, row.id]] : [])),
    );
    this.memberships.set(credentialOf(actor), { ids, until: now + windowMs });
    return ids;
  }
}

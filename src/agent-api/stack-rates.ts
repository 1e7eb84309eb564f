import type { Response } from 'express';
import type { Actor } from '../auth/actor.js';
import { Problem } from '../domain/problem.js';
import { BoundedLimiter } from '../resources/installation/rate-limits/bounded-limiter.js';
import type { Services } from '../services/services.js';

/** Calls of one stack per second, by the name of the budget: those of the compatible service. */
const perSecond = {
  'list-scheduled-jobs': 10,
  'batch-reserve': 10,
  'show-job': 1_000,
  'batch-load-job-states': 20,
  'finish-job': 100,
  'stack-notification': 200,
  default: 10,
} as const;
export type StackRate = keyof typeof perSecond;

/** Rate limits of stacks: for each key in each cluster and each kind of call, in this process. */
export class StackRates {
  private readonly limiters: ReadonlyMap<StackRate, BoundedLimiter>;

  constructor(private readonly services: Pick<Services, 'limits'>) {
    this.limiters = new Map(
      (Object.keys(perSecond) as StackRate[]).map((scope) => [
        scope,
        new BoundedLimiter({ keyPrefix: scope, points: perSecond[scope], duration: 1 }),
      ]),
    );
  }

  /**
   * Counts a call and sets the `RateLimit-*` headers of its reply; throws `rate_limited` above the limit. Callers that
   * are no stacks are refused by the operation and not counted.
   */
  async count(actor: Actor, key: string, scope: StackRate, response: Response): Promise<void> {
    const limiter = this.limiters.get(scope);
    const isLimited = this.services.limits.requestsPerMinuteOrganization > 0;
    if (!isLimited || !limiter || actor.kind !== 'registration') return;
    const limit = perSecond[scope];
    const result = await limiter.consume(`${actor.clusterId} ${key.slice(0, 100)}`);
    const reset = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
    response.set({
      'RateLimit-Scope': scope,
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': String(Math.max(0, result.remainingPoints)),
      'RateLimit-Reset': String(reset),
    });
    if (result.consumedPoints <= limit) return;
    throw new Problem(
      'rate_limited',
      `You have exceeded your API rate limit. Please wait ${reset} seconds before making more requests.`,
      { retryAfter: reset, public: { scope, limit, current: result.consumedPoints, reset } },
    );
  }
}

import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import { sign } from '../../../auth/secrets.js';
import { limits } from '../../../domain/limits/limits.js';
import type { Context } from '../../../request/context.js';
import { attemptCounter, countOne, networkOf } from '../sessions/attempt-counter.js';

/** Steps that are counted: beginnings and requests for tokens of a network, codes that a person types. */
export const oauthSteps = ['begin', 'token', 'user-code'] as const;
type Step = (typeof oauthSteps)[number];

const countersOf = new WeakMap<object, Record<Step, RateLimiterPostgres>>();

function counters({ services: { db } }: Context): Record<Step, RateLimiterPostgres> {
  const known = countersOf.get(db);
  if (known) return known;
  const all = {
    begin: attemptCounter(db, 'oauth-begin', limits.oauthBeginningsPerAddress, 10),
    token: attemptCounter(db, 'oauth-token', limits.oauthTokenRequestsPerAddress, 10),
    'user-code': attemptCounter(db, 'oauth-user-code', limits.oauthUserCodesPerUser, 10),
  };
  countersOf.set(db, all);
  return all;
}

/**
 * Counts a step of OAuth against the network that it comes from, or against the person who takes it. Throws
 * `rate_limited` with `retryAfter` after too many.
 */
export async function countStep(context: Context, step: Step, userId: string | null = null): Promise<void> {
  const who = userId ?? networkOf(context.request.ipAddress ?? null);
  const key = sign(context.services.secretKey, 'oauth-brake', step, who);
  await countOne(counters(context)[step], key, 'Too many requests.');
}

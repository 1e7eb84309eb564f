import type { Context } from '../../../context.js';

/** Length of the window that requests are counted in. */
export const rateLimitWindowMs = 60_000;

/** The requests of an organization in the current window. */
export interface RateLimitState {
  /** Requests allowed in a window; 0 for any number. */
  limit: number;
  /** Requests that replicas have reserved: at most a hundredth of the limit for each replica above those made. */
  current: number;
  windowEnd: Date;
}

export async function readRateLimit(context: Context, organizationId: string): Promise<RateLimitState> {
  const now = context.now.getTime();
  const windowStart = now - (now % rateLimitWindowMs);
  const row = await context.db
    .selectFrom('rate_limit_counts')
    .select(['requests', 'windowStart'])
    .where('subjectId', '=', organizationId)
    .executeTakeFirst();
  return {
    limit: context.services.limits.requestsPerMinuteOrganization,
    current: row && row.windowStart.getTime() >= windowStart ? row.requests : 0,
    windowEnd: new Date(windowStart + rateLimitWindowMs),
  };
}

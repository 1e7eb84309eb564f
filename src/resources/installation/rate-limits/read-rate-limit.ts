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

/** Start of the window that a time, in ms, is in. */
export const rateLimitWindowStart = (now: number): number => now - (now % rateLimitWindowMs);

export async function readRateLimit(context: Context, organizationId: string): Promise<RateLimitState> {
  const requests = await requestsInWindow(context, [organizationId]);
  return {
    limit: context.services.limits.requestsPerMinuteOrganization,
    current: requests.get(organizationId) ?? 0,
    windowEnd: new Date(rateLimitWindowStart(context.now.getTime()) + rateLimitWindowMs),
  };
}

/**
 * Returns the requests that replicas have reserved in the current window, by the id of the user or organization. A replica
 * whose clock is ahead may have begun the next window already.
 */
export async function requestsInWindow(
  context: Context,
  subjectIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const windowStart = rateLimitWindowStart(context.now.getTime());
  const rows = await context.db
    .selectFrom('rate_limit_counts')
    .select(['subjectId', 'requests', 'windowStart'])
    .where('subjectId', 'in', subjectIds)
    .execute();
  return new Map(
    rows.flatMap((row) => (row.windowStart.getTime() >= windowStart ? [[row.subjectId, row.requests] as const] : [])),
  );
}

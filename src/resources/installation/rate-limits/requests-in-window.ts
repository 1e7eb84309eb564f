import type { Context } from '../../../request/context.js';

/** Length of the window that requests are counted in. */
export const rateLimitWindowMs = 60_000;

/** Start of the window that a time, in ms, is in. */
export const rateLimitWindowStart = (now: number): number => now - (now % rateLimitWindowMs);

/** End of the window that a time is in. */
export const windowEndOf = (now: Date): Date => new Date(rateLimitWindowStart(now.getTime()) + rateLimitWindowMs);

/**
 * Returns the requests that replicas have reserved in the current window, by the id of the user or organization. A
 * replica whose clock is ahead may have begun the next window already.
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

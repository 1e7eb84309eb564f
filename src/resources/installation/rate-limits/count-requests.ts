import type { Context } from '../../../request/context.js';

/**
 * Adds to the request count of a user or an organization in this window, over all replicas, and returns the sum. One
 * statement on one row; a replica whose clock is behind counts into the window of the others.
 */
export async function countRequests(
  context: Context,
  subjectId: string,
  windowStart: Date,
  requests: number,
): Promise<number> {
  const row = await context.db
    .insertInto('rate_limit_counts')
    .values({ subjectId, windowStart, requests })
    .onConflict((conflict) =>
      conflict.column('subjectId').doUpdateSet((eb) => ({
        requests: eb
          .case()
          .when('rate_limit_counts.windowStart', '<', eb.ref('excluded.windowStart'))
          .then(eb.ref('excluded.requests'))
          .else(eb('rate_limit_counts.requests', '+', eb.ref('excluded.requests')))
          .end(),
        windowStart: eb.fn('greatest', ['rate_limit_counts.windowStart', 'excluded.windowStart']),
      })),
    )
    .returning('requests')
    .executeTakeFirstOrThrow();
  return row.requests;
}

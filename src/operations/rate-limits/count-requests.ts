import type { Context } from '../../context.js';

/**
 * Adds requests to what a user or an organization has asked in this window, over all replicas, and returns the sum.
 * One statement on one row; a clock that is behind those of other replicas counts into their window.
 */
export async function countRequests(context: Context, subjectId: string, windowStart: Date, requests: number): Promise<number> {
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

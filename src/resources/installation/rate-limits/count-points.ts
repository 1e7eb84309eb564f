import { sql } from 'kysely';
import type { Db } from '../../../entities/database.js';

/** More than any limit, and less than the column holds. */
const most = 2_000_000_000;

/**
 * Adds to the points that a user or an organization has spent in this window, over all replicas, and returns the sum.
 * One statement on one row; a replica whose clock is behind counts into the window of the others.
 */
export async function countPoints(db: Db, subjectId: string, windowStart: Date, points: number): Promise<number> {
  const { rows } = await sql<{ points: number }>`
    insert into graphql_point_counts as c (subject_id, window_start, points)
    values (${subjectId}, ${windowStart}, ${Math.min(most, points)})
    on conflict (subject_id) do update set
      points = case when c.window_start < excluded.window_start then excluded.points
        else least(${most}::bigint, c.points::bigint + excluded.points)::int end,
      window_start = greatest(c.window_start, excluded.window_start)
    returning points`.execute(db);
  return rows[0]?.points ?? 0;
}

/** Returns the points that replicas have told of in this window; null before the first. */
export async function pointsInWindow(db: Db, subjectId: string, windowStart: Date): Promise<number | null> {
  const row = await db
    .selectFrom('graphql_point_counts')
    .select('points')
    .where('subjectId', '=', subjectId)
    .where('windowStart', '>=', windowStart)
    .executeTakeFirst();
  return row?.points ?? null;
}

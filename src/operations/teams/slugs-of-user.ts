import type { Context } from '../../context.js';

/** Slugs of the teams a user is in, in an organization, in order. */
export async function teamSlugsOf(context: Context, organizationId: string, userId: string): Promise<string[]> {
  const rows = await context.db
    .selectFrom('team_members as m')
    .innerJoin('teams as t', 't.id', 'm.teamId')
    .select('t.slug')
    .where('m.organizationId', '=', organizationId)
    .where('m.userId', '=', userId)
    .orderBy('t.slug')
    .execute();
  return rows.map((row) => row.slug);
}

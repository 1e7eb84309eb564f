import type { Context } from '../../../request/context.js';

/** Adds a new member of an organization to its default teams, with each team's role for them (`is_default_team`). */
export async function joinDefaultTeams(context: Context, organizationId: string, userId: string): Promise<void> {
  const teams = await context.db
    .selectFrom('teams')
    .select(['id', 'defaultMemberRole'])
    .where('organizationId', '=', organizationId)
    .where('isDefault', '=', true)
    .orderBy('id')
    .forKeyShare()
    .execute();
  if (teams.length === 0) return;
  await context.db
    .insertInto('team_members')
    .values(
      teams.map((team) => ({
        id: context.newId(),
        organizationId,
        teamId: team.id,
        userId,
        role: team.defaultMemberRole,
        createdById: context.userId,
        createdAt: context.now,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

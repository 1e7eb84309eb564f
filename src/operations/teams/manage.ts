import { standing } from '../../auth/authorize.js';
import type { Context } from '../../context.js';
import { forbidden } from '../../domain/problem.js';
import type { TeamRow } from '../../entities/database.js';

/** Whether the caller manages every team of an organization. */
export function managesAllTeams(context: Context, organizationId: string): boolean {
  const role = standing(context.actor, organizationId);
  return role === 'admin' || role === 'system';
}

/** Whether the caller manages a team's members: an administrator of the organization, or a maintainer of the team. */
export async function managesTeam(context: Context, team: Pick<TeamRow, 'id' | 'organizationId'>): Promise<boolean> {
  if (managesAllTeams(context, team.organizationId)) return true;
  if (context.userId === null) return false;
  const own = await context.db.selectFrom('team_members').select('role').where('teamId', '=', team.id).where('userId', '=', context.userId).executeTakeFirst();
  return own?.role === 'maintainer';
}

/** Refuses with `forbidden` whoever sees the team but does not manage it. */
export async function requireTeamManager(context: Context, team: Pick<TeamRow, 'id' | 'organizationId'>): Promise<void> {
  if (!(await managesTeam(context, team))) throw forbidden();
}

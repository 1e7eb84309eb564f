import { standing } from '../../../auth/authorize.js';
import type { Context } from '../../../request/context.js';
import { forbidden } from '../../../domain/problem.js';
import type { TeamRow } from '../../../entities/database.js';

type Asking = Pick<Context, 'actor' | 'load'>;

/** Whether the caller manages every team of an organization. */
export function managesAllTeams({ actor }: Pick<Asking, 'actor'>, organizationId: string): boolean {
  const role = standing(actor, organizationId);
  return role === 'admin' || role === 'system';
}

/**
 * Whether the caller manages a team's members: an administrator of the organization, or a maintainer of the team. One
 * statement for any number of teams.
 */
export async function managesTeam(
  { actor, load }: Asking,
  team: Pick<TeamRow, 'id' | 'organizationId'>,
): Promise<boolean> {
  if (managesAllTeams({ actor }, team.organizationId)) return true;
  if (actor.kind !== 'user' || standing(actor, team.organizationId) !== 'member') return false;
  return (await load.teamRole.load(`${team.id} ${actor.userId}`)) === 'maintainer';
}

/** Throws `forbidden` unless the caller manages the team. */
export async function requireTeamManager(context: Asking, team: Pick<TeamRow, 'id' | 'organizationId'>): Promise<void> {
  if (!(await managesTeam(context, team))) throw forbidden();
}

import type { Context } from '../../../request/context.js';
import type { Row, TeamRow } from '../../../entities/database.js';
import { findLink, type LinkAddress } from './find-team-link.js';
import type { TeamSubject } from '../../../core/find-team.js';

export interface TeamMemberSubject extends TeamSubject {
  teamMember: Row<'team_members'>;
}

/** Finds a membership of a team that the caller may see; see {@link findLink}. */
export async function findTeamMember(
  context: Context,
  address: LinkAddress,
  finding: { lock?: boolean } = {},
): Promise<TeamMemberSubject | null> {
  const parent = await findLink(context, 'team_members', address, finding);
  return parent && { organization: parent.organization, team: parent.team, teamMember: parent.link };
}

/** Why a maintainer can be neither removed nor made a member. */
export const lastMaintainer = 'The last maintainer of a team stays as long as the team has other members';

/** Whether a team that has other members would be left without a maintainer by the loss of this one. */
export async function isLastMaintainer({ db }: Context, team: TeamRow, member: Row<'team_members'>): Promise<boolean> {
  if (member.role !== 'maintainer') return false;
  const others = await db
    .selectFrom('team_members')
    .select('role')
    .distinct()
    .where('teamId', '=', team.id)
    .where('id', '!=', member.id)
    .execute();
  return others.length > 0 && !others.some(({ role }) => role === 'maintainer');
}

import type { Context } from '../../../context.js';
import { forbidden } from '../../../domain/problem.js';
import type { OrganizationRow, Row, TeamRow } from '../../../entities/database.js';
import { findLink, type LinkAddress } from '../teams/find-team-link.js';
import type { TeamSubject } from '../../../core/find-team.js';
import { managesAllTeams, managesTeam } from '../teams/manage.js';

export interface TeamSuiteSubject extends TeamSubject {
  teamSuite: Row<'team_suites'>;
}

/** Finds a team's access to a suite, where the caller may see the team. */
export async function findTeamSuite(
  context: Context,
  address: LinkAddress,
  finding: { lock?: boolean } = {},
): Promise<TeamSuiteSubject | null> {
  const parent = await findLink(context, 'team_suites', address, finding);
  return parent && { organization: parent.organization, team: parent.team, teamSuite: parent.link };
}

/**
 * Throws `forbidden` unless the caller may share the suite with the team: an administrator, a maintainer of the team
 * who may edit the suite, or any member if teams are disabled.
 */
export async function requireSuiteSharer(
  context: Context,
  organization: OrganizationRow,
  team: TeamRow,
  suiteId: string,
): Promise<void> {
  if (managesAllTeams(context, organization.id)) return;
  const may =
    (await managesTeam(context, team)) && (!organization.teamsEnabled || (await editsSuite(context, suiteId)));
  if (!may) throw forbidden();
}

/** Whether one of the caller's teams may edit a suite. */
async function editsSuite({ db, userId }: Context, suiteId: string): Promise<boolean> {
  const access = await db
    .selectFrom('team_suites as s')
    .innerJoin('team_members as m', 'm.teamId', 's.teamId')
    .select('s.accessLevel')
    .where('s.suiteId', '=', suiteId)
    .where('m.userId', '=', userId)
    .execute();
  return access.some(({ accessLevel }) => accessLevel.includes('edit'));
}

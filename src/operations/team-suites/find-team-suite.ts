import type { Context } from '../../context.js';
import { forbidden } from '../../domain/problem.js';
import type { OrganizationRow, Row, TeamRow } from '../../entities/database.js';
import { findLink, type LinkAddress } from '../teams/find-link.js';
import type { TeamSubject } from '../teams/find-team.js';
import { managesAllTeams, managesTeam } from '../teams/manage.js';

export interface TeamSuiteSubject extends TeamSubject {
  teamSuite: Row<'team_suites'>;
}

/** The access of a team to a suite that a caller names, if it may see the team. */
export async function findTeamSuite(context: Context, address: LinkAddress, finding: { lock?: boolean } = {}): Promise<TeamSuiteSubject | null> {
  const found = await findLink(context, 'team_suites', address, finding);
  return found && { organization: found.organization, team: found.team, teamSuite: found.link };
}

/**
 * Refuses with `forbidden` whoever may not share a suite with a team: administrators may, and maintainers of the team
 * who may edit the suite, as every member may where teams are off (rest-facts 1.7).
 */
export async function requireSuiteSharer(context: Context, organization: OrganizationRow, team: TeamRow, suiteId: string): Promise<void> {
  if (managesAllTeams(context, organization.id)) return;
  const may = (await managesTeam(context, team)) && (!organization.teamsEnabled || (await editsSuite(context, suiteId)));
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

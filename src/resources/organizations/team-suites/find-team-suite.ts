import type { Context } from '../../../request/context.js';
import { forbidden } from '../../../domain/problem.js';
import type { OrganizationRow, Row, TeamRow } from '../../../entities/database.js';
import { findLink, type LinkAddress } from '../teams/find-team-link.js';
import { findSuite } from '../../../core/find-suite.js';
import type { TeamSubject } from '../../../core/find-team.js';
import { managesAllTeams, managesTeam } from '../teams/manage.js';

export interface TeamSuiteSubject extends TeamSubject {
  teamSuite: Row<'team_suites'>;
}

/** Finds a team's access to a suite, where the caller may see both. */
export async function findTeamSuite(
  context: Context,
  address: LinkAddress,
  finding: { lock?: boolean } = {},
): Promise<TeamSuiteSubject | null> {
  const parent = await findLink(context, 'team_suites', address, finding);
  const suite = parent && (await findSuite(context, { id: parent.link.suiteId }));
  return parent && suite ? { organization: parent.organization, team: parent.team, teamSuite: parent.link } : null;
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
  if (!(await managesTeam(context, team))) throw forbidden();
  if (!organization.teamsEnabled) return;
  const suite = await findSuite(context, { id: suiteId });
  if (!suite?.editable) throw forbidden();
}

import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { wrongState } from '../../../domain/problem.js';
import { defineOperation } from '../../../core/operation.js';
import { linkAddress } from '../../../resources/organizations/teams/find-team-link.js';
import { managesAllTeams } from '../../../resources/organizations/teams/manage.js';
import { recordTeam } from '../../../resources/organizations/teams/record.js';
import { flag } from '../../../domain/input-text.js';
import {
  findTeamSuite,
  requireSuiteSharer,
  type TeamSuiteSubject,
} from '../../../resources/organizations/team-suites/find-team-suite.js';

/**
 * Removes a team's access to a test suite and returns it as it was. Only an administrator may remove the last team,
 * which hides the suite from the caller, unless `force` is set.
 */
export const deleteTeamSuite = defineOperation({
  name: 'team-suite.delete',
  summary: 'Removes the access of a team to a test suite.',
  kind: 'command',
  scope: 'write_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ teamSuite: linkAddress, force: flag.nullish() }),
  subject: (context, { teamSuite }) => findTeamSuite(context, teamSuite, { lock: true }),
  permit: (context, { organization, team, teamSuite }) =>
    requireSuiteSharer(context, organization, team, teamSuite.suiteId),
  run: async (context, { force }, subject: TeamSuiteSubject): Promise<TeamSuiteSubject> => {
    const { team, teamSuite } = subject;
    if (!force && (await isLast(context, subject)))
      throw wrongState('No other team has access to the test suite: only an administrator can remove the last one.');
    await context.db.deleteFrom('team_suites').where('id', '=', teamSuite.id).execute();
    recordTeam(context, team, 'team-suite.delete', {
      suite_id: teamSuite.suiteId,
      access_level: teamSuite.accessLevel,
    });
    return subject;
  },
});

async function isLast(context: Context, { organization, teamSuite }: TeamSuiteSubject): Promise<boolean> {
  if (!organization.teamsEnabled || managesAllTeams(context, organization.id)) return false;
  const other = await context.db
    .selectFrom('team_suites')
    .select('id')
    .where('suiteId', '=', teamSuite.suiteId)
    .where('id', '!=', teamSuite.id)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}

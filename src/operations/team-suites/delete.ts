import { z } from 'zod';
import type { Context } from '../../context.js';
import { wrongState } from '../../domain/problem.js';
import { defineOperation } from '../operation.js';
import { linkAddress } from '../teams/find-link.js';
import { managesAllTeams } from '../teams/manage.js';
import { recordTeam } from '../teams/record.js';
import { flag } from '../text.js';
import { findTeamSuite, requireSuiteSharer, type TeamSuiteSubject } from './find-team-suite.js';

/**
 * Takes a team's access to a test suite away and returns it as it was (api-v2.md, Team suites). Nobody but an
 * administrator takes it from the last team there is, which would hide the suite from themselves, unless `force` says
 * that it is meant.
 */
export const deleteTeamSuite = defineOperation({
  name: 'team-suite.delete',
  summary: 'Takes the access of a team to a test suite away.',
  kind: 'command',
  scope: 'write_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ teamSuite: linkAddress, force: flag.nullish() }),
  subject: (context, { teamSuite }) => findTeamSuite(context, teamSuite, { lock: true }),
  run: async (context, { force }, subject: TeamSuiteSubject): Promise<TeamSuiteSubject> => {
    const { organization, team, teamSuite } = subject;
    await requireSuiteSharer(context, organization, team, teamSuite.suiteId);
    if (!force && (await isLast(context, subject))) throw wrongState('No other team has access to the test suite: only an administrator can remove the last one.');
    await context.db.deleteFrom('team_suites').where('id', '=', teamSuite.id).execute();
    recordTeam(context, team, 'team-suite.delete', { suite_id: teamSuite.suiteId, access_level: teamSuite.accessLevel });
    return subject;
  },
});

async function isLast(context: Context, { organization, teamSuite }: TeamSuiteSubject): Promise<boolean> {
  if (!organization.teamsEnabled || managesAllTeams(context, organization.id)) return false;
  const other = await context.db.selectFrom('team_suites').select('id').where('suiteId', '=', teamSuite.suiteId).where('id', '!=', teamSuite.id).limit(1).executeTakeFirst();
  return other === undefined;
}

import { z } from 'zod';
import { defineOperation } from '../operation.js';
import { linkAddress } from '../teams/find-link.js';
import { recordTeam } from '../teams/record.js';
import { suiteAccess } from './fields.js';
import { findTeamSuite, requireSuiteSharer, type TeamSuiteSubject } from './find-team-suite.js';

/** Gives a team other access to a test suite (api-v2.md, Team suites); see {@link requireSuiteSharer} for who may. */
export const updateTeamSuite = defineOperation({
  name: 'team-suite.update',
  summary: 'Changes the access of a team to a test suite.',
  kind: 'command',
  scope: 'write_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ teamSuite: linkAddress, accessLevel: suiteAccess }),
  subject: (context, { teamSuite }) => findTeamSuite(context, teamSuite, { lock: true }),
  run: async (context, { accessLevel }, subject: TeamSuiteSubject): Promise<TeamSuiteSubject> => {
    const { organization, team, teamSuite: before } = subject;
    await requireSuiteSharer(context, organization, team, before.suiteId);
    const teamSuite = await context.db.updateTable('team_suites').set({ accessLevel }).where('id', '=', before.id).returningAll().executeTakeFirstOrThrow();
    recordTeam(context, team, 'team-suite.update', { suite_id: before.suiteId, from: before.accessLevel, to: accessLevel });
    return { ...subject, teamSuite };
  },
});

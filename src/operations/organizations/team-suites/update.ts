import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { linkAddress } from '../../../resources/organizations/teams/find-team-link.js';
import { recordTeam } from '../../../resources/organizations/teams/record.js';
import { suiteAccess } from '../../../resources/organizations/team-suites/fields.js';
import {
  findTeamSuite,
  requireSuiteSharer,
  type TeamSuiteSubject,
} from '../../../resources/organizations/team-suites/find-team-suite.js';

/** Updates a team's access to a test suite; {@link requireSuiteSharer} checks permission. */
export const updateTeamSuite = defineOperation({
  name: 'team-suite.update',
  summary: 'Changes the access of a team to a test suite.',
  kind: 'command',
  scope: 'write_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ teamSuite: linkAddress, accessLevel: suiteAccess }),
  subject: (context, { teamSuite }) => findTeamSuite(context, teamSuite, { lock: true }),
  permit: (context, { organization, team, teamSuite }) =>
    requireSuiteSharer(context, organization, team, teamSuite.suiteId),
  run: async (context, { accessLevel }, subject: TeamSuiteSubject): Promise<TeamSuiteSubject> => {
    const { team, teamSuite: before } = subject;
    const teamSuite = await context.db
      .updateTable('team_suites')
      .set({ accessLevel })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordTeam(context, team, 'team-suite.update', {
      suite_id: before.suiteId,
      from: before.accessLevel,
      to: accessLevel,
    });
    return { ...subject, teamSuite };
  },
});

import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { linkAddress } from '../../../resources/organizations/teams/find-team-link.js';
import { findTeamSuite, type TeamSuiteSubject } from '../../../resources/organizations/team-suites/find-team-suite.js';

/** Returns a team's access to a test suite. */
export const getTeamSuite = defineOperation({
  name: 'team-suite.get',
  summary: 'Returns the access of a team to a test suite.',
  kind: 'query',
  scope: 'read_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ teamSuite: linkAddress }),
  subject: (context, { teamSuite }) => findTeamSuite(context, teamSuite),
  run: async (_context, _input, subject: TeamSuiteSubject) => subject,
});

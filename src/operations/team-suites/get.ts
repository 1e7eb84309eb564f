import { z } from 'zod';
import { defineOperation } from '../operation.js';
import { linkAddress } from '../teams/find-link.js';
import { findTeamSuite, type TeamSuiteSubject } from './find-team-suite.js';

/** The access of a team to a test suite (api-v2.md, Team suites). */
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

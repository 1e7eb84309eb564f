import { z } from 'zod';
import { defineOperation } from '../operation.js';
import { linkAddress } from './find-link.js';
import { findTeamMember, type TeamMemberSubject } from './team-member.js';

/** One membership of a team the caller may see (api-v2.md, Team members). */
export const getTeamMember = defineOperation({
  name: 'team-member.get',
  summary: 'Returns one member of a team.',
  kind: 'query',
  scope: 'read_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ teamMember: linkAddress }),
  subject: (context, { teamMember }) => findTeamMember(context, teamMember),
  run: async (_context, _input, subject: TeamMemberSubject) => subject,
});

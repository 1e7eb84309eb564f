import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { linkAddress } from '../../../resources/organizations/teams/find-team-link.js';
import { findTeamMember, type TeamMemberSubject } from '../../../resources/organizations/teams/team-member.js';

/** Returns one membership of a team that the caller may see. */
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

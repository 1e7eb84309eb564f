import { z } from 'zod';
import { wrongState } from '../../../domain/problem.js';
import { defineOperation } from '../../../core/operation.js';
import { linkAddress } from '../../../resources/organizations/teams/find-team-link.js';
import { requireTeamManager } from '../../../resources/organizations/teams/manage.js';
import { recordTeam } from '../../../resources/organizations/teams/record.js';
import {
  findTeamMember,
  isLastMaintainer,
  lastMaintainer,
  type TeamMemberSubject,
} from '../../../resources/organizations/teams/team-member.js';

/**
 * Removes a member from a team and returns the membership as it was; for administrators and the team's maintainers.
 * Refuses the last maintainer while there are other members.
 */
export const deleteTeamMember = defineOperation({
  name: 'team-member.delete',
  summary: 'Removes a member from a team.',
  kind: 'command',
  scope: 'write_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ teamMember: linkAddress }),
  subject: (context, { teamMember }) => findTeamMember(context, teamMember, { lock: true }),
  permit: (context, { team }) => requireTeamManager(context, team),
  run: async (context, _input, subject: TeamMemberSubject): Promise<TeamMemberSubject> => {
    const { team, teamMember } = subject;
    if (await isLastMaintainer(context, team, teamMember)) throw wrongState(`${lastMaintainer}.`);
    await context.db.deleteFrom('team_members').where('id', '=', teamMember.id).execute();
    recordTeam(context, team, 'team-member.delete', { user_id: teamMember.userId, role: teamMember.role });
    return subject;
  },
});

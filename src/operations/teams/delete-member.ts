import { z } from 'zod';
import { wrongState } from '../../domain/problem.js';
import { defineOperation } from '../operation.js';
import { linkAddress } from './find-link.js';
import { requireTeamManager } from './manage.js';
import { recordTeam } from './record.js';
import { findTeamMember, isLastMaintainer, lastMaintainer, type TeamMemberSubject } from './team-member.js';

/**
 * Takes a member out of a team and returns the membership as it was (api-v2.md, Team members); for administrators and
 * the team's maintainers. The last maintainer stays while there are others.
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
  run: async (context, _input, subject: TeamMemberSubject): Promise<TeamMemberSubject> => {
    const { team, teamMember } = subject;
    await requireTeamManager(context, team);
    if (await isLastMaintainer(context, team, teamMember)) throw wrongState(`${lastMaintainer}.`);
    await context.db.deleteFrom('team_members').where('id', '=', teamMember.id).execute();
    recordTeam(context, team, 'team-member.delete', { user_id: teamMember.userId, role: teamMember.role });
    return subject;
  },
});

import { z } from 'zod';
import { invalidField } from '../../domain/problem.js';
import { defineOperation } from '../operation.js';
import { teamRole } from './fields.js';
import { linkAddress } from './find-link.js';
import { requireTeamManager } from './manage.js';
import { recordTeam } from './record.js';
import { findTeamMember, isLastMaintainer, lastMaintainer, type TeamMemberSubject } from './team-member.js';

/** Gives a member of a team another role (api-v2.md, Team members); for administrators and the team's maintainers. */
export const updateTeamMember = defineOperation({
  name: 'team-member.update',
  summary: 'Changes the role of a member of a team.',
  kind: 'command',
  scope: 'write_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ teamMember: linkAddress, role: teamRole }),
  subject: (context, { teamMember }) => findTeamMember(context, teamMember, { lock: true }),
  run: async (context, { role }, subject: TeamMemberSubject): Promise<TeamMemberSubject> => {
    const { team, teamMember: before } = subject;
    await requireTeamManager(context, team);
    if (role === 'member' && (await isLastMaintainer(context, team, before))) throw invalidField('', lastMaintainer);
    const teamMember = await context.db.updateTable('team_members').set({ role }).where('id', '=', before.id).returningAll().executeTakeFirstOrThrow();
    recordTeam(context, team, 'team-member.update', { user_id: before.userId, from: before.role, to: role });
    return { ...subject, teamMember };
  },
});

import { z } from 'zod';
import { invalidField } from '../../../domain/problem.js';
import { defineOperation } from '../../../core/operation.js';
import { teamRole } from '../../../resources/organizations/teams/fields.js';
import { linkAddress } from '../../../resources/organizations/teams/find-team-link.js';
import { requireTeamManager } from '../../../resources/organizations/teams/manage.js';
import { recordTeam } from '../../../resources/organizations/teams/record.js';
import {
  findTeamMember,
  isLastMaintainer,
  lastMaintainer,
  type TeamMemberSubject,
} from '../../../resources/organizations/teams/team-member.js';

/** Updates the role of a team member; for administrators and the team's maintainers. */
export const updateTeamMember = defineOperation({
  name: 'team-member.update',
  summary: 'Changes the role of a member of a team.',
  kind: 'command',
  scope: 'write_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ teamMember: linkAddress, role: teamRole }),
  subject: (context, { teamMember }) => findTeamMember(context, teamMember, { lock: true }),
  permit: (context, { team }) => requireTeamManager(context, team),
  run: async (context, { role }, subject: TeamMemberSubject): Promise<TeamMemberSubject> => {
    const { team, teamMember: before } = subject;
    if (role === 'member' && (await isLastMaintainer(context, team, before))) throw invalidField('', lastMaintainer);
    const teamMember = await context.db
      .updateTable('team_members')
      .set({ role })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordTeam(context, team, 'team-member.update', { user_id: before.userId, from: before.role, to: role });
    return { ...subject, teamMember };
  },
});

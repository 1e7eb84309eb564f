import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { findTeam, teamAddress, type TeamSubject } from '../../../core/find-team.js';
import { recordTeam } from '../../../resources/organizations/teams/record.js';

/** Deletes a team with its memberships and its access to pipelines and suites; people, pipelines and suites stay. */
export const deleteTeam = defineOperation({
  name: 'team.delete',
  summary: 'Deletes a team.',
  kind: 'command',
  scope: 'write_teams',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ team: teamAddress }),
  subject: (context, { team }) => findTeam(context, team, { lock: true }),
  run: async (context, _input, subject: TeamSubject): Promise<TeamSubject> => {
    const { team } = subject;
    // Links are made under the team's lock or a share of it: from here on none is added.
    await context.db.deleteFrom('team_members').where('teamId', '=', team.id).execute();
    await context.db.deleteFrom('team_pipelines').where('teamId', '=', team.id).execute();
    await context.db.deleteFrom('team_suites').where('teamId', '=', team.id).execute();
    await context.db.deleteFrom('teams').where('id', '=', team.id).execute();
    recordTeam(context, team, 'team.delete', { slug: team.slug, name: team.name });
    return subject;
  },
});

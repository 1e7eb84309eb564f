import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { accessLevels } from '../../../resources/pipelines/fields.js';
import { linkAddress } from '../../../resources/organizations/teams/find-team-link.js';
import { recordTeam } from '../../../resources/organizations/teams/record.js';
import {
  findTeamPipeline,
  requireSharer,
  type TeamPipelineSubject,
} from '../../../resources/organizations/teams/team-pipeline.js';

/** Updates a team's access level to a pipeline; {@link requireSharer} checks permission. */
export const updateTeamPipeline = defineOperation({
  name: 'team-pipeline.update',
  summary: 'Changes the access of a team to a pipeline.',
  kind: 'command',
  scope: 'write_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ teamPipeline: linkAddress, accessLevel: accessLevels }),
  subject: (context, { teamPipeline }) => findTeamPipeline(context, teamPipeline, { lock: true }),
  permit: (context, { team, level }) => requireSharer(context, team, level),
  run: async (context, { accessLevel }, subject: TeamPipelineSubject): Promise<TeamPipelineSubject> => {
    const { team, teamPipeline: before } = subject;
    const teamPipeline = await context.db
      .updateTable('team_pipelines')
      .set({ accessLevel })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordTeam(context, team, 'team-pipeline.update', { from: before.accessLevel, to: accessLevel }, before.pipelineId);
    return { ...subject, teamPipeline };
  },
});

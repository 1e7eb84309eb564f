import { z } from 'zod';
import { defineOperation } from '../operation.js';
import { accessLevels } from '../pipelines/fields.js';
import { linkAddress } from './find-link.js';
import { recordTeam } from './record.js';
import { findTeamPipeline, requireSharer, type TeamPipelineSubject } from './team-pipeline.js';

/** Gives a team another level of access to a pipeline (rest-facts 3.5); see {@link requireSharer} for who may. */
export const updateTeamPipeline = defineOperation({
  name: 'team-pipeline.update',
  summary: 'Changes the access of a team to a pipeline.',
  kind: 'command',
  scope: 'write_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ teamPipeline: linkAddress, accessLevel: accessLevels }),
  subject: (context, { teamPipeline }) => findTeamPipeline(context, teamPipeline, { lock: true }),
  run: async (context, { accessLevel }, subject: TeamPipelineSubject): Promise<TeamPipelineSubject> => {
    const { team, teamPipeline: before } = subject;
    await requireSharer(context, team, subject.level);
    const teamPipeline = await context.db.updateTable('team_pipelines').set({ accessLevel }).where('id', '=', before.id).returningAll().executeTakeFirstOrThrow();
    recordTeam(context, team, 'team-pipeline.update', { from: before.accessLevel, to: accessLevel }, before.pipelineId);
    return { ...subject, teamPipeline };
  },
});

import { z } from 'zod';
import type { Context } from '../../context.js';
import { wrongState } from '../../domain/problem.js';
import { defineOperation } from '../operation.js';
import { flag } from '../text.js';
import { linkAddress } from './find-link.js';
import { managesAllTeams } from './manage.js';
import { recordTeam } from './record.js';
import { findTeamPipeline, requireSharer, type TeamPipelineSubject } from './team-pipeline.js';

/**
 * Takes a team's access to a pipeline away and returns it as it was (rest-facts 3.5); see {@link requireSharer} for who
 * may. Nobody but an administrator takes it from the last team there is, which would hide the pipeline from themselves,
 * unless `force` says that it is meant.
 */
export const deleteTeamPipeline = defineOperation({
  name: 'team-pipeline.delete',
  summary: 'Takes the access of a team to a pipeline away.',
  kind: 'command',
  scope: 'write_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ teamPipeline: linkAddress, force: flag.nullish() }),
  subject: (context, { teamPipeline }) => findTeamPipeline(context, teamPipeline, { lock: true }),
  run: async (context, { force }, subject: TeamPipelineSubject): Promise<TeamPipelineSubject> => {
    const { team, teamPipeline } = subject;
    await requireSharer(context, team, subject.level);
    if (!force && (await isLast(context, subject))) throw wrongState('No other team has access to the pipeline: only an administrator can remove the last one.');
    await context.db.deleteFrom('team_pipelines').where('id', '=', teamPipeline.id).execute();
    recordTeam(context, team, 'team-pipeline.delete', { access_level: teamPipeline.accessLevel }, teamPipeline.pipelineId);
    return subject;
  },
});

async function isLast(context: Context, { organization, teamPipeline }: TeamPipelineSubject): Promise<boolean> {
  if (!organization.teamsEnabled || managesAllTeams(context, organization.id)) return false;
  const other = await context.db.selectFrom('team_pipelines').select('id').where('pipelineId', '=', teamPipeline.pipelineId).where('id', '!=', teamPipeline.id).limit(1).executeTakeFirst();
  return other === undefined;
}

import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { wrongState } from '../../../domain/problem.js';
import { defineOperation } from '../../../core/operation.js';
import { flag } from '../../../domain/input-text.js';
import { linkAddress } from '../../../resources/organizations/teams/find-team-link.js';
import { managesAllTeams } from '../../../resources/organizations/teams/manage.js';
import { recordTeam } from '../../../resources/organizations/teams/record.js';
import {
  findTeamPipeline,
  requireSharer,
  type TeamPipelineSubject,
} from '../../../resources/organizations/teams/team-pipeline.js';

/**
 * Removes a team's access to a pipeline and returns the former access; {@link requireSharer} checks permission. Only an
 * administrator may remove the last team, which hides the pipeline from the caller, unless `force` is set.
 */
export const deleteTeamPipeline = defineOperation({
  name: 'team-pipeline.delete',
  summary: 'Removes the access of a team to a pipeline.',
  kind: 'command',
  scope: 'write_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ teamPipeline: linkAddress, force: flag.nullish() }),
  subject: (context, { teamPipeline }) => findTeamPipeline(context, teamPipeline, { lock: true }),
  permit: (context, { team, level }) => requireSharer(context, team, level),
  run: async (context, { force }, subject: TeamPipelineSubject): Promise<TeamPipelineSubject> => {
    const { team, teamPipeline } = subject;
    if (!force && (await isLast(context, subject)))
      throw wrongState('No other team has access to the pipeline: only an administrator can remove the last one.');
    await context.db.deleteFrom('team_pipelines').where('id', '=', teamPipeline.id).execute();
    recordTeam(
      context,
      team,
      'team-pipeline.delete',
      { access_level: teamPipeline.accessLevel },
      teamPipeline.pipelineId,
    );
    return subject;
  },
});

async function isLast(context: Context, { organization, teamPipeline }: TeamPipelineSubject): Promise<boolean> {
  if (!organization.teamsEnabled || managesAllTeams(context, organization.id)) return false;
  const other = await context.db
    .selectFrom('team_pipelines')
    .select('id')
    .where('pipelineId', '=', teamPipeline.pipelineId)
    .where('id', '!=', teamPipeline.id)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}

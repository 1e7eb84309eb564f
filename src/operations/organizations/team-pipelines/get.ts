import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { linkAddress } from '../../../resources/organizations/teams/find-team-link.js';
import { findTeamPipeline, type TeamPipelineSubject } from '../../../resources/organizations/teams/team-pipeline.js';

/** Returns a team's access to a pipeline, where the caller may see both. */
export const getTeamPipeline = defineOperation({
  name: 'team-pipeline.get',
  summary: 'Returns the access of a team to a pipeline.',
  kind: 'query',
  scope: 'read_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ teamPipeline: linkAddress }),
  subject: (context, { teamPipeline }) => findTeamPipeline(context, teamPipeline),
  run: async (_context, _input, subject: TeamPipelineSubject) => subject,
});

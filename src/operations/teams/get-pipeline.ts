import { z } from 'zod';
import { defineOperation } from '../operation.js';
import { linkAddress } from './find-link.js';
import { findTeamPipeline, type TeamPipelineSubject } from './team-pipeline.js';

/** The access of a team to a pipeline, where the caller may see both (rest-facts 3.5). */
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

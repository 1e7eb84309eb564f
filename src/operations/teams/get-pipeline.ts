import { z } from 'zod';
import type { Row } from '../../entities/database.js';
import { isId } from '../address.js';
import { findPipeline } from '../find.js';
import { defineOperation } from '../operation.js';
import type { PipelineSubject } from '../subject.js';
import { findTeam } from './find-team.js';

/** The access of a team to a pipeline, where the caller may see both. */
export const getTeamPipeline = defineOperation({
  name: 'team-pipeline.get',
  summary: 'Returns the access of a team to a pipeline.',
  kind: 'query',
  scope: 'read_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ id: z.string().max(300) }),
  subject: async (context, { id }): Promise<(PipelineSubject & { access: Row<'team_pipelines'> }) | null> => {
    const access = isId(id) ? await context.load.teamPipeline.load(id) : null;
    if (!access || !(await findTeam(context, { id: access.teamId }))) return null;
    const found = await findPipeline(context, { id: access.pipelineId });
    return found && { ...found, access };
  },
  run: async (_context, _input, { access }): Promise<Row<'team_pipelines'>> => access,
});

import { z } from 'zod';
import { pipelineIsVisible } from '../../auth/authorize.js';
import { limits } from '../../domain/limits.js';
import type { Row } from '../../entities/database.js';
import { contains } from '../matching.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, newestFirst, type Ordering, type Page, paginate, paging } from '../paging.js';
import { oneOf, text } from '../text.js';
import { findTeam, teamAddress, type TeamSubject } from './find-team.js';

/** A team's access to a pipeline with the name it is ordered by; the pipeline comes through `context.load.pipeline`. */
export type TeamPipeline = Row<'team_pipelines'> & { sortName: string };

/** The pipelines a team has access to, as far as the caller may see them; `search` is part of a pipeline's name. */
export const listTeamPipelines = defineOperation({
  name: 'team-pipeline.list',
  summary: 'Lists the pipelines a team has access to.',
  kind: 'query',
  scope: 'read_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    team: teamAddress,
    search: text(limits.filterLength).nullish(),
    order: oneOf(['recently_created', 'name', 'relevance']).default('recently_created'),
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { team }) => findTeam(context, team),
  run: async (context, { search, order, paging: asked }, { team }: TeamSubject): Promise<Page<TeamPipeline>> => {
    let query = context.db
      .selectFrom('team_pipelines as x')
      .innerJoin('pipelines as p', 'p.id', 'x.pipelineId')
      .innerJoin('organizations as o', 'o.id', 'p.organizationId')
      .selectAll('x')
      .select('p.name as sortName')
      .where('x.teamId', '=', team.id)
      .where(pipelineIsVisible(context.actor));
    if (search) query = query.where(contains('p.name', search));
    return paginate<TeamPipeline>(context.db, query, order === 'recently_created' ? newestFirst('x.id') : byName, asked);
  },
});

const byName: Ordering<TeamPipeline> = { column: 'p.name', id: 'x.id', direction: 'asc', key: (row) => row.sortName, type: 'text' };

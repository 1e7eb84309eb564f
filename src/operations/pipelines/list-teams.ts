import { z } from 'zod';
import { limits } from '../../domain/limits/limits.js';
import { pipelineAddress } from '../../core/address.js';
import { findPipeline } from '../../core/find.js';
import { contains } from '../../core/matching.js';
import { defineOperation } from '../../core/operation.js';
import { defaultPaging, newestFirst, type Ordering, type Page, paginate, paging } from '../../core/paging.js';
import type { PipelineSubject } from '../../core/subject.js';
import type { TeamPipeline } from '../organizations/team-pipelines/list.js';
import { teamIsVisible } from '../../core/team-visibility.js';
import { oneOf, text } from '../../domain/input-text.js';

const byName: Ordering<TeamPipeline> = {
  column: 't.name',
  id: 'x.id',
  direction: 'asc',
  key: (row) => row.sortName,
  type: 'text',
};

/** Lists the teams with access to a pipeline, as far as a member may see them. `search`: part of the team's name. */
export const listPipelineTeams = defineOperation({
  name: 'pipeline.list-teams',
  summary: 'Lists the teams with access to a pipeline.',
  kind: 'query',
  scope: 'read_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    pipeline: pipelineAddress,
    search: text(limits.filterLength).nullish(),
    order: oneOf(['recently_created', 'name', 'relevance']).default('recently_created'),
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { pipeline }) => findPipeline(context, pipeline),
  run: async (context, { search, order, paging: page }, { pipeline }: PipelineSubject): Promise<Page<TeamPipeline>> => {
    let query = context.db
      .selectFrom('team_pipelines as x')
      .innerJoin('teams as t', 't.id', 'x.teamId')
      .selectAll('x')
      .select('t.name as sortName')
      .where('x.pipelineId', '=', pipeline.id)
      .where(teamIsVisible(context.actor));
    if (search) query = query.where(contains('t.name', search));
    return paginate<TeamPipeline>(context.db, query, order === 'recently_created' ? newestFirst('x.id') : byName, page);
  },
});

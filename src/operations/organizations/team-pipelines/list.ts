import { z } from 'zod';
import { pipelineIsVisible } from '../../../auth/authorize.js';
import { limits } from '../../../domain/limits/limits.js';
import type { Row } from '../../../entities/database.js';
import { contains } from '../../../core/matching.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Ordering, type Page, paginate, paging } from '../../../core/paging.js';
import { oneOf, text } from '../../../domain/input-text.js';
import { findTeam, teamAddress, type TeamSubject } from '../../../core/find-team.js';

/** A team's access to a pipeline with its sort key; the pipeline comes through `context.uncheckedRows.pipeline`. */
export type TeamPipeline = Row<'team_pipelines'> & { sortName: string };

/** Lists the pipelines of a team that the caller may see. `search`: part of the pipeline's name. */
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
  run: async (context, { search, order, paging: page }, { team }: TeamSubject): Promise<Page<TeamPipeline>> => {
    let query = context.db
      .selectFrom('team_pipelines as x')
      .innerJoin('pipelines as p', 'p.id', 'x.pipelineId')
      .innerJoin('organizations as o', 'o.id', 'p.organizationId')
      .selectAll('x')
      .select('p.name as sortName')
      .where('x.teamId', '=', team.id)
      .where(pipelineIsVisible(context.actor));
    if (search) query = query.where(contains('p.name', search));
    return paginate<TeamPipeline>(context.db, query, order === 'recently_created' ? newestFirst('x.id') : byName, page);
  },
});

const byName: Ordering<TeamPipeline> = {
  column: 'p.name',
  id: 'x.id',
  direction: 'asc',
  key: (row) => row.sortName,
  type: 'text',
};

import { sql } from 'kysely';
import { z } from 'zod';
import { pipelineOfRowIsVisible } from '../../../core/find.js';
import type { JobRow } from '../../../entities/database.js';
import { withinMembership } from '../../../core/membership.js';
import { defineOperation } from '../../../core/operation.js';
import { type Page, paginateByParent, stretchPaging } from '../../../core/paging.js';
import type { EverywhereSubject } from '../../../core/subject.js';
import { filterJobs, jobFilters, jobOrderings } from './list.js';

/** Lists the jobs of several agents, a page each, in one statement, as far as the caller may see their pipelines. */
export const listJobsOfAgents = defineOperation({
  name: 'job.list-of-agents',
  summary: 'Lists jobs of several agents at once.',
  kind: 'query',
  batchOf: 'job.list',
  scope: 'read_builds',
  access: 'visible',
  input: jobFilters.extend({ agentIds: z.array(z.uuid()).max(500), paging: stretchPaging }),
  subject: async (): Promise<EverywhereSubject> => ({ everywhere: true }),
  run: async (context, { agentIds, ...filters }): Promise<Map<string, Page<JobRow>>> => {
    const agents = await context.db
      .selectFrom('agents')
      .select('id')
      .where('id', 'in', agentIds)
      .where(withinMembership(context.actor, 'organizationId'))
      .execute();
    const jobs = context.db
      .selectFrom('jobs as j')
      .selectAll('j')
      .where(sql<boolean>`j.agent_id = parent.id`)
      .where(pipelineOfRowIsVisible(context, 'j.pipelineId', null));
    return paginateByParent(
      context.db,
      agents.map((agent) => agent.id),
      filterJobs(context, jobs, filters),
      jobOrderings[filters.order],
      filters.paging,
    );
  },
});

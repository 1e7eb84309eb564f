import { sql } from 'kysely';
import { z } from 'zod';
import { pipelineIsVisible } from '../../auth/authorize.js';
import type { JobRow } from '../../entities/database.js';
import { withinMembership } from '../membership.js';
import { defineOperation } from '../operation.js';
import { type Page, paginateByParent, stretchPaging } from '../paging.js';
import type { Subject } from '../subject.js';
import { filterJobs, jobFilters, jobOrderings } from './list.js';

/** The jobs of several agents, a page each, in one statement: those whose pipelines the caller may see. */
export const listJobsOfAgents = defineOperation({
  name: 'job.list-of-agents',
  summary: 'Lists jobs of several agents at once.',
  kind: 'query',
  batchOf: 'job.list',
  scope: 'read_builds',
  access: 'visible',
  input: jobFilters.extend({ agentIds: z.array(z.uuid()).max(500), paging: stretchPaging }),
  subject: async (): Promise<Subject> => ({ everywhere: true }),
  run: async (context, { agentIds, ...asked }): Promise<Map<string, Page<JobRow>>> => {
    const agents = await context.db.selectFrom('agents').select('id').where('id', 'in', agentIds).where(withinMembership(context.actor, 'organizationId')).execute();
    const visible = context.db.selectFrom('pipelines as p').innerJoin('organizations as o', 'o.id', 'p.organizationId').select('p.id').where(pipelineIsVisible(context.actor));
    const jobs = context.db.selectFrom('jobs as j').selectAll('j').where(sql<boolean>`j.agent_id = parent.id`).where('j.pipelineId', 'in', visible);
    return paginateByParent(context.db, agents.map((agent) => agent.id), filterJobs(context, jobs, asked), jobOrderings[asked.order], asked.paging);
  },
});

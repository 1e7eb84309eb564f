import { sql } from 'kysely';
import { z } from 'zod';
import type { JobRow } from '../../entities/database.js';
import { visiblePipelineIds } from '../find.js';
import { defineOperation } from '../operation.js';
import { type Page, paginateByParent, stretchPaging } from '../paging.js';
import type { Subject } from '../subject.js';
import { filterJobs, jobFilters, jobOrderings } from './list.js';

/** The jobs of several pipelines, a page each, in one statement. Pipelines the caller may not see have no entry. */
export const listJobsOfPipelines = defineOperation({
  name: 'job.list-of-pipelines',
  summary: 'Lists jobs of several pipelines at once.',
  kind: 'query',
  batchOf: 'job.list',
  scope: 'read_builds',
  access: 'visible',
  input: jobFilters.extend({ pipelineIds: z.array(z.uuid()).max(500), paging: stretchPaging }),
  subject: async (): Promise<Subject> => ({ everywhere: true }),
  run: async (context, { pipelineIds, ...asked }): Promise<Map<string, Page<JobRow>>> => {
    const seen = await visiblePipelineIds(context, pipelineIds);
    const query = filterJobs(context, context.db.selectFrom('jobs as j').selectAll('j').where(sql<boolean>`j.pipeline_id = parent.id`), asked);
    return paginateByParent(context.db, seen, query, jobOrderings[asked.order], asked.paging);
  },
});

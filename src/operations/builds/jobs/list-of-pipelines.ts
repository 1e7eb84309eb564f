import { sql } from 'kysely';
import { z } from 'zod';
import type { JobRow } from '../../../entities/database.js';
import { pipelinesAmong } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { type Page, paginateByParent, stretchPaging } from '../../../core/paging.js';
import type { EverywhereSubject } from '../../../core/subject.js';
import { filterJobs, jobFilters, jobOrderings } from './list.js';

/**
 * Lists the jobs of several pipelines, a page each, in one statement. Pipelines the caller may not see have no entry.
 */
export const listJobsOfPipelines = defineOperation({
  name: 'job.list-of-pipelines',
  summary: 'Lists jobs of several pipelines at once.',
  kind: 'query',
  batchOf: 'job.list',
  scope: 'read_builds',
  access: 'visible',
  input: jobFilters.extend({ pipelineIds: z.array(z.uuid()).max(500), paging: stretchPaging }),
  subject: async (): Promise<EverywhereSubject> => ({ everywhere: true }),
  run: async (context, { pipelineIds, ...filters }): Promise<Map<string, Page<JobRow>>> => {
    const query = filterJobs(
      context,
      context.db
        .selectFrom('jobs as j')
        .selectAll('j')
        .where(sql<boolean>`j.pipeline_id = parent.id`),
      filters,
    );
    const parents = { ids: pipelineIds, among: (ids: readonly string[]) => pipelinesAmong(context, ids) };
    return paginateByParent(context.db, parents, query, jobOrderings[filters.order], filters.paging);
  },
});

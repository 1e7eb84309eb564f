import { sql } from 'kysely';
import { z } from 'zod';
import type { BuildRow, JobRow } from '../../../entities/database.js';
import { visiblePipelineIds } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { type Page, paginateByParent, stretchPaging } from '../../../core/paging.js';
import type { EverywhereSubject } from '../../../core/subject.js';
import { filterJobs, jobFilters, jobOrderings } from './list.js';

/** Lists the jobs of several builds, a page each, in one statement. Builds the caller may not see have no entry. */
export const listJobsOfBuilds = defineOperation({
  name: 'job.list-of-builds',
  summary: 'Lists jobs of several builds at once.',
  kind: 'query',
  batchOf: 'job.list',
  scope: 'read_builds',
  access: 'visible',
  input: jobFilters.extend({ buildIds: z.array(z.uuid()).max(10_000), paging: stretchPaging }),
  subject: async (): Promise<EverywhereSubject> => ({ everywhere: true }),
  run: async (context, { buildIds, ...filters }): Promise<Map<string, Page<JobRow>>> => {
    const builds = (await context.uncheckedRows.build.loadMany(buildIds)).filter(
      (build): build is BuildRow => build !== null && !(build instanceof Error),
    );
    const visibleIds = new Set(
      await visiblePipelineIds(context, [...new Set(builds.map((build) => build.pipelineId))]),
    );
    const visible = builds.filter((build) => visibleIds.has(build.pipelineId)).map((build) => build.id);
    const query = filterJobs(
      context,
      context.db
        .selectFrom('jobs as j')
        .selectAll('j')
        .where(sql<boolean>`j.build_id = parent.id`),
      filters,
    );
    return paginateByParent(context.db, visible, query, jobOrderings[filters.order], filters.paging);
  },
});

import { sql } from 'kysely';
import { z } from 'zod';
import type { BuildRow, JobRow } from '../../entities/database.js';
import { visiblePipelineIds } from '../find.js';
import { defineOperation } from '../operation.js';
import { type Page, paginateByParent, stretchPaging } from '../paging.js';
import type { Subject } from '../subject.js';
import { filterJobs, jobFilters, jobOrderings } from './list.js';

/** The jobs of several builds, a page each, in one statement. Builds the caller may not see have no entry. */
export const listJobsOfBuilds = defineOperation({
  name: 'job.list-of-builds',
  summary: 'Lists jobs of several builds at once.',
  kind: 'query',
  batchOf: 'job.list',
  scope: 'read_builds',
  access: 'visible',
  input: jobFilters.extend({ buildIds: z.array(z.uuid()).max(10_000), paging: stretchPaging }),
  subject: async (): Promise<Subject> => ({ everywhere: true }),
  run: async (context, { buildIds, ...asked }): Promise<Map<string, Page<JobRow>>> => {
    const builds = (await context.load.build.loadMany(buildIds)).filter((build): build is BuildRow => build !== null && !(build instanceof Error));
    const seen = new Set(await visiblePipelineIds(context, [...new Set(builds.map((build) => build.pipelineId))]));
    const visible = builds.filter((build) => seen.has(build.pipelineId)).map((build) => build.id);
    const query = filterJobs(context, context.db.selectFrom('jobs as j').selectAll('j').where(sql<boolean>`j.build_id = parent.id`), asked);
    return paginateByParent(context.db, visible, query, jobOrderings[asked.order], asked.paging);
  },
});

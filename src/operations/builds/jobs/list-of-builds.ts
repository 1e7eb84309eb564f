import { sql } from 'kysely';
import { z } from 'zod';
import type { JobRow } from '../../../entities/database.js';
import { buildsAmong } from '../../../core/find.js';
import { columnNames, selectRows } from '../../../core/narrow-rows.js';
import { defineOperation } from '../../../core/operation.js';
import { type Page, paginateByParent, stretchPaging } from '../../../core/paging.js';
import type { EverywhereSubject } from '../../../core/subject.js';
import { filterJobs, jobFilters, jobOrderings, keysOfOrderings } from './list.js';

/** Lists the jobs of several builds, a page each, in one statement. Builds the caller may not see have no entry. */
export const listJobsOfBuilds = defineOperation({
  name: 'job.list-of-builds',
  summary: 'Lists jobs of several builds at once.',
  kind: 'query',
  batchOf: 'job.list',
  scope: 'read_builds',
  access: 'visible',
  input: jobFilters.extend({ buildIds: z.array(z.uuid()).max(10_000), paging: stretchPaging, columns: columnNames }),
  subject: async (): Promise<EverywhereSubject> => ({ everywhere: true }),
  run: async (context, { buildIds, columns, ...filters }): Promise<Map<string, Page<JobRow>>> => {
    const jobs = context.db.selectFrom('jobs as j');
    const query = filterJobs(
      context,
      selectRows(jobs, { table: 'jobs', alias: 'j', columns, key: keysOfOrderings[filters.order] }).where(
        sql<boolean>`j.build_id = parent.id`,
      ),
      filters,
    );
    const parents = { ids: buildIds, among: (ids: readonly string[]) => buildsAmong(context, ids) };
    return paginateByParent(context.db, parents, query, jobOrderings[filters.order], filters.paging);
  },
});

import { sql } from 'kysely';
import { z } from 'zod';
import type { ArtifactRow, JobRow } from '../../../entities/database.js';
import { visiblePipelineIds } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { type Page, paginateByParent, stretchPaging } from '../../../core/paging.js';
import type { EverywhereSubject } from '../../../core/subject.js';
import { artifactFilters, artifactOrdering, filterArtifacts } from '../../../resources/builds/artifacts/filters.js';

/** Lists the artifacts of several jobs, a page each, in one statement. Jobs the caller may not see have no entry. */
export const listArtifactsOfJobs = defineOperation({
  name: 'artifact.list-of-jobs',
  summary: 'Lists artifacts of several jobs at once.',
  kind: 'query',
  batchOf: 'artifact.list',
  scope: 'read_artifacts',
  access: 'visible',
  input: artifactFilters.extend({ jobIds: z.array(z.uuid()).max(10_000), paging: stretchPaging }),
  subject: async (): Promise<EverywhereSubject> => ({ everywhere: true }),
  run: async (context, { jobIds, ...filters }): Promise<Map<string, Page<ArtifactRow>>> => {
    const jobs = (await context.uncheckedRows.job.loadMany(jobIds)).filter(
      (job): job is JobRow => job !== null && !(job instanceof Error),
    );
    const visibleIds = new Set(await visiblePipelineIds(context, [...new Set(jobs.map((job) => job.pipelineId))]));
    const visible = jobs.filter((job) => visibleIds.has(job.pipelineId)).map((job) => job.id);
    const query = filterArtifacts(
      context.db
        .selectFrom('artifacts as a')
        .selectAll('a')
        .where(sql<boolean>`a.job_id = parent.id`),
      filters,
    );
    return paginateByParent(context.db, visible, query, artifactOrdering, filters.paging);
  },
});

import { sql } from 'kysely';
import { z } from 'zod';
import type { ArtifactRow, JobRow } from '../../entities/database.js';
import { visiblePipelineIds } from '../find.js';
import { defineOperation } from '../operation.js';
import { type Page, paginateByParent, stretchPaging } from '../paging.js';
import type { Subject } from '../subject.js';
import { artifactFilters, artifactOrdering, filterArtifacts } from './filters.js';

/** The artifacts of several jobs, a page each, in one statement. Jobs the caller may not see have no entry. */
export const listArtifactsOfJobs = defineOperation({
  name: 'artifact.list-of-jobs',
  summary: 'Lists artifacts of several jobs at once.',
  kind: 'query',
  batchOf: 'artifact.list',
  scope: 'read_artifacts',
  access: 'visible',
  input: artifactFilters.extend({ jobIds: z.array(z.uuid()).max(10_000), paging: stretchPaging }),
  subject: async (): Promise<Subject> => ({ everywhere: true }),
  run: async (context, { jobIds, ...asked }): Promise<Map<string, Page<ArtifactRow>>> => {
    const jobs = (await context.load.job.loadMany(jobIds)).filter((job): job is JobRow => job !== null && !(job instanceof Error));
    const seen = new Set(await visiblePipelineIds(context, [...new Set(jobs.map((job) => job.pipelineId))]));
    const visible = jobs.filter((job) => seen.has(job.pipelineId)).map((job) => job.id);
    const query = filterArtifacts(context.db.selectFrom('artifacts as a').selectAll('a').where(sql<boolean>`a.job_id = parent.id`), asked);
    return paginateByParent(context.db, visible, query, artifactOrdering, asked.paging);
  },
});

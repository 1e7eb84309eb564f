import { z } from 'zod';
import type { ArtifactRow } from '../../entities/database.js';
import { buildAddress, jobAddress } from '../address.js';
import { findBuild, findJob } from '../find.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, type Page, paginate, paging } from '../paging.js';
import type { BuildSubject, JobSubject } from '../subject.js';
import { artifactFilters, artifactOrdering, filterArtifacts } from './filters.js';

/**
 * GET artifacts of a build, all jobs and attempts, or of one job, newest first (rest-facts 3.2). Deleted ones stay,
 * in state `deleted`, as the clients' live tests expect; `state` finds the others.
 */
export const listArtifacts = defineOperation({
  name: 'artifact.list',
  summary: 'Lists artifacts of a build or a job, newest first.',
  kind: 'query',
  scope: 'read_artifacts',
  access: 'visible',
  input: artifactFilters.extend({
    within: z.union([z.object({ job: jobAddress }), z.object({ build: buildAddress })]),
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { within }): Promise<BuildSubject | JobSubject | null> => ('job' in within ? findJob(context, within.job) : findBuild(context, within.build)),
  run: async (context, asked, subject): Promise<Page<ArtifactRow>> => {
    const all = context.db.selectFrom('artifacts as a').selectAll('a');
    const within = 'job' in subject ? all.where('a.jobId', '=', subject.job.id) : all.where('a.buildId', '=', subject.build.id);
    return paginate(context.db, filterArtifacts(within, asked), artifactOrdering, asked.paging);
  },
});

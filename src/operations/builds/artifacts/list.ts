import { z } from 'zod';
import type { ArtifactRow } from '../../../entities/database.js';
import { buildAddress, jobAddress } from '../../../core/address.js';
import { findBuild, findJob } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, type Page, paginate, paging } from '../../../core/paging.js';
import type { BuildSubject, JobSubject } from '../../../core/subject.js';
import { artifactFilters, artifactOrdering, filterArtifacts } from '../../../resources/builds/artifacts/filters.js';

/**
 * GET artifacts: of a build, with all its jobs and attempts, or of one job; newest first. Deleted artifacts are listed
 * in state `deleted`, which clients' live tests expect; `state` narrows the list.
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
  subject: (context, { within }): Promise<BuildSubject | JobSubject | null> =>
    'job' in within ? findJob(context, within.job) : findBuild(context, within.build),
  run: async (context, request, subject): Promise<Page<ArtifactRow>> => {
    const all = context.db.selectFrom('artifacts as a').selectAll('a');
    const within =
      'job' in subject ? all.where('a.jobId', '=', subject.job.id) : all.where('a.buildId', '=', subject.build.id);
    return paginate(context.db, filterArtifacts(within, request), artifactOrdering, request.paging);
  },
});

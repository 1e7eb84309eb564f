import { z } from 'zod';
import { buildAddress } from '../../../core/address.js';
import { findBuild } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import type { BuildSubject } from '../../../core/subject.js';
import { text } from '../../../domain/input-text.js';
import { rowsOfJob } from '../../../resources/builds/jobs/rows-of-job.js';
import { type StepUpload, stepUploadSelection } from '../../../entities/pipelines/shown-step-upload.js';

/**
 * Lists the pipeline uploads of a build's jobs, newest first. `job`: only those of the job with this uuid or node id.
 */
export const listStepUploads = defineOperation({
  name: 'step-upload.list',
  summary: 'Lists the pipeline uploads of a build.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  refusal: 'sentence',
  input: z.object({ build: buildAddress, job: text(300).nullish(), paging: paging.default(defaultPaging) }),
  subject: (context, { build }) => findBuild(context, build),
  run: async (context, { job, paging: page }, { build }: BuildSubject): Promise<Page<StepUpload>> => {
    const query = context.db
      .selectFrom('step_uploads as u')
      .select(stepUploadSelection)
      .where('u.buildId', '=', build.id)
      .where(rowsOfJob('u', job));
    return paginate(context.db, query, newestFirst<StepUpload>('u.id'), page);
  },
});

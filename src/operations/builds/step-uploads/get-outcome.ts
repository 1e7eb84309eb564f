import { z } from 'zod';
import { wrongState } from '../../../domain/problem.js';
import { defineOperation } from '../../../core/operation.js';
import { findHeldJob, jobInput } from '../../../resources/builds/jobs/held-job.js';
import { findStepUpload, type StepUploadOutcome } from '../../../resources/builds/step-uploads/step-upload.js';

/**
 * GET pipelines: what became of an upload. Agents poll any other refusal than 422 for minutes, so an unknown one is
 * that.
 */
export const getStepUploadOutcome = defineOperation({
  name: 'step-upload.get-outcome',
  summary: 'Returns what became of a pipeline upload.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: jobInput.extend({ uuid: z.string().max(300) }),
  subject: (context, { job }) => findHeldJob(context, job),
  run: async (context, { uuid }, { job }): Promise<StepUploadOutcome> => {
    const id = z.uuid().safeParse(uuid);
    const upload = id.success ? await findStepUpload(context, job.id, id.data) : null;
    if (!upload) throw wrongState('The job has no such pipeline upload');
    return upload;
  },
});

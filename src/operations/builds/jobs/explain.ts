import { z } from 'zod';
import { jobAddress } from '../../../core/address.js';
import { findJob } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import type { JobExplanation } from '../../../domain/builds/explanations/job-explanation.js';
import type { JobRow } from '../../../entities/database.js';
import { explainJobs } from '../../../resources/builds/explanations/explain-jobs.js';

/**
 * GET explanation: tells why a job waits, will not run or was stopped; null for one that runs or has run to its end.
 */
export const explainOneJob = defineOperation({
  name: 'job.explain',
  summary: 'Explains why a job waits, will not run or was stopped.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  input: z.object({ job: jobAddress }),
  subject: (context, { job }) => findJob(context, job),
  run: async (context, _input, { job }): Promise<{ job: JobRow; explanation: JobExplanation | null }> => {
    const explanations = await explainJobs(context, [job]);
    return { job, explanation: explanations.get(job.id) ?? null };
  },
});

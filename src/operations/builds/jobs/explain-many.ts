import { z } from 'zod';
import { visiblePipelineIds } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import type { EverywhereSubject } from '../../../core/subject.js';
import type { JobExplanation } from '../../../domain/builds/explanations/job-explanation.js';
import type { JobRow } from '../../../entities/database.js';
import { explainJobs } from '../../../resources/builds/explanations/explain-jobs.js';

/** Explains several jobs in the same few statements. Jobs that the caller may not see have no entry. */
export const explainManyJobs = defineOperation({
  name: 'job.explain-many',
  summary: 'Explains several jobs at once.',
  kind: 'query',
  batchOf: 'job.explain',
  scope: 'read_builds',
  access: 'visible',
  input: z.object({ jobIds: z.array(z.uuid()).max(10_000) }),
  subject: async (): Promise<EverywhereSubject> => ({ everywhere: true }),
  run: async (context, { jobIds }): Promise<Map<string, JobExplanation | null>> => {
    const jobs = (await context.uncheckedRows.job.loadMany(jobIds)).filter(
      (job): job is JobRow => job !== null && !(job instanceof Error),
    );
    const visible = new Set(await visiblePipelineIds(context, [...new Set(jobs.map((job) => job.pipelineId))]));
    return explainJobs(
      context,
      jobs.filter((job) => visible.has(job.pipelineId)),
    );
  },
});

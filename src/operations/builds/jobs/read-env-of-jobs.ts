import { z } from 'zod';
import { jobEnvironment } from '../../../domain/builds/job-environment.js';
import { defineOperation } from '../../../core/operation.js';
import type { EverywhereSubject } from '../../../core/subject.js';
import { loadEnvironmentFacts } from '../../../resources/builds/jobs/load-environment.js';
import { visibleCommandJobs } from '../../../resources/builds/jobs/visible-jobs.js';

/**
 * Returns the environments of several command jobs, each computed when it is read: all at once would hold up the event
 * loop. Jobs that the caller may not see, and those without a process, have no entry.
 */
export const readEnvOfJobs = defineOperation({
  name: 'job.env-of-jobs',
  summary: 'Returns the environment variables of several jobs at once.',
  kind: 'query',
  batchOf: 'job.env',
  scope: 'read_job_env',
  access: 'visible',
  input: z.object({ jobIds: z.array(z.uuid()).max(10_000) }),
  subject: async (): Promise<EverywhereSubject> => ({ everywhere: true }),
  run: async (context, { jobIds }): Promise<Map<string, () => Record<string, string>>> => {
    const jobs = await visibleCommandJobs(context, jobIds);
    const factsOf = await loadEnvironmentFacts(context, jobs);
    return new Map(jobs.map((job) => [job.id, () => jobEnvironment(factsOf(job))]));
  },
});

import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import type { EverywhereSubject } from '../../../core/subject.js';
import { hasFailed, type JobFailure } from '../../../domain/builds/failures/job-failure.js';
import { loadFailures } from '../../../resources/builds/failures/load-failures.js';
import { visibleCommandJobs } from '../../../resources/builds/jobs/visible-jobs.js';

/** Tells why several jobs failed. Jobs that the caller may not see, and those that have not failed, have no entry. */
export const readFailuresOfJobs = defineOperation({
  name: 'job-failure.read-of-jobs',
  summary: 'Tells why several jobs failed.',
  kind: 'query',
  batchOf: 'job-failure.read',
  scope: 'read_build_logs',
  access: 'visible',
  input: z.object({ jobIds: z.array(z.uuid()).max(10_000) }),
  subject: async (): Promise<EverywhereSubject> => ({ everywhere: true }),
  run: async (context, { jobIds }): Promise<Map<string, JobFailure>> => {
    const jobs = await visibleCommandJobs(context, jobIds);
    return loadFailures(context, jobs.filter(hasFailed));
  },
});

import { z } from 'zod';
import { jobAddress } from '../../../core/address.js';
import { findJob } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { hasFailed, type JobFailure } from '../../../domain/builds/failures/job-failure.js';
import { Problem } from '../../../domain/problem.js';
import type { JobRow } from '../../../entities/database.js';
import { loadFailures } from '../../../resources/builds/failures/load-failures.js';

/** GET failure: tells why a command job failed; 404 for one that has not, or not yet. */
export const readJobFailure = defineOperation({
  name: 'job-failure.read',
  summary: 'Tells why a job failed: the parts of its log that matter, since when, and what changed.',
  kind: 'query',
  scope: 'read_build_logs',
  access: 'visible',
  input: z.object({ job: jobAddress }),
  subject: (context, { job }) => findJob(context, job),
  run: async (context, _input, { job }): Promise<{ job: JobRow; failure: JobFailure }> => {
    const failure = hasFailed(job) ? (await loadFailures(context, [job])).get(job.id) : undefined;
    if (!failure) throw new Problem('not_found', 'The job has not failed');
    return { job, failure };
  },
});

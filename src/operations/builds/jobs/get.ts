import { z } from 'zod';
import { jobAddress } from '../../../core/address.js';
import { findJob } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import type { JobSubject } from '../../../core/subject.js';

/** GET job: returns one job, under its build or under the organization. */
export const getJob = defineOperation({
  name: 'job.get',
  summary: 'Returns one job.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  input: z.object({ job: jobAddress }),
  subject: (context, { job }) => findJob(context, job),
  run: async (_context, _input, subject): Promise<JobSubject> => subject,
});

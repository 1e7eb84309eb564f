import { z } from 'zod';
import { jobAddress } from '../address.js';
import { findJob } from '../find.js';
import { defineOperation } from '../operation.js';
import type { JobSubject } from '../subject.js';

/** GET one job, under its build or under the organization. */
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

import { z } from 'zod';
import { notFound } from '../../../domain/problem.js';
import { jobAddress } from '../../../core/address.js';
import { findJob } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { loadJobEnvironment } from '../../../resources/builds/jobs/load-environment.js';

/** GET env: returns the environment of a command job, as its agent gets it. */
export const readJobEnv = defineOperation({
  name: 'job.env',
  summary: 'Returns the environment variables of a job.',
  kind: 'query',
  scope: 'read_job_env',
  access: 'visible',
  input: z.object({ job: jobAddress }),
  subject: (context, { job }) => findJob(context, job),
  run: async (context, _input, { job }): Promise<{ env: Record<string, string> }> => {
    // Waiters, blocks and triggers run nowhere: they have no environment to show.
    if (job.type !== 'command') throw notFound();
    return { env: await loadJobEnvironment(context, job) };
  },
});

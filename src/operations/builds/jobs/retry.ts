import { z } from 'zod';
import { Problem, wrongState } from '../../../domain/problem.js';
import type { JobRow } from '../../../entities/database.js';
import { jobAddress } from '../../../core/address.js';
import { findJob, rereadJob } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { advanceBuild } from '../../../engine/builds/advance-build.js';
import { insertRetry } from '../../../engine/builds/insert-retry.js';
import { retryRoomProblem } from '../../../engine/builds/stored-sums.js';
import type { JobSubject } from '../../../core/subject.js';
import { manualRetryPolicy } from '../../../engine/builds/manual-retry-policy.js';

export interface RetriedJob extends JobSubject {
  /** The job that was retried; `job` is the new one. */
  retriedJob: JobRow;
}

/** PUT retry: creates a new attempt of a failed, timed out or canceled job; each job can be retried once. */
export const retryJob = defineOperation({
  name: 'job.retry',
  summary: 'Retries a failed, timed out or canceled job.',
  kind: 'command',
  scope: 'write_builds',
  access: 'build',
  input: z.object({ job: jobAddress }),
  subject: (context, { job }) => findJob(context, job, { lock: true }),
  run: async (context, _input, subject): Promise<RetriedJob> => {
    const { build, job } = subject;
    const problem = await (await manualRetryPolicy(context, build))(job);
    if (problem)
      throw problem.kind === 'state' ? new Problem('not_applicable', problem.message) : wrongState(problem.message);
    const full = await retryRoomProblem(context, build.id, [job]);
    if (full !== null) throw wrongState(full);
    const inserted = await insertRetry(context, job, { type: 'manual', ruleUses: job.retryRuleUses });
    const advanced = await advanceBuild(context, build, { reason: 'retry' });
    return {
      ...subject,
      build: advanced,
      job: (await rereadJob(context, inserted.id)) ?? inserted,
      retriedJob: (await rereadJob(context, job.id)) ?? job,
    };
  },
});

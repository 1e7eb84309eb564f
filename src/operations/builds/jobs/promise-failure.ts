import { z } from 'zod';
import { largestInteger } from '../../../domain/integer-column.js';
import { limits } from '../../../domain/limits/limits.js';
import { Problem, wrongState } from '../../../domain/problem.js';
import { softFails } from '../../../domain/builds/retry.js';
import { defineOperation } from '../../../core/operation.js';
import { advanceBuild } from '../../../engine/builds/advance-build.js';
import { stepDefinition } from '../../../engine/builds/load-facts.js';
import { changeJobs, noteJob } from '../../../engine/state/jobs.js';
import { jobInput, lockOwnJob } from '../../../resources/builds/jobs/held-job.js';

/**
 * PUT promise_failure: a running job announces its exit status so that its build can fail now. Repeating a promise is
 * harmless; a different one throws `conflict`, a job that another agent holds `forbidden`. The step decides whether the
 * failure is hard.
 */
export const promiseFailure = defineOperation({
  name: 'job.promise-failure',
  summary: 'Records that a running job will fail.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: jobInput.extend({
    exitStatus: z.number().int().min(1).max(largestInteger),
    reason: z.string().max(limits.promiseReasonLength).nullish(),
  }),
  subject: (context, { job }) => lockOwnJob(context, job),
  run: async (context, { exitStatus, reason }, { job, build }): Promise<void> => {
    if (job.promisedExitStatus === exitStatus) return;
    if (job.promisedExitStatus !== null)
      throw new Problem('conflict', `The job has promised the exit status ${job.promisedExitStatus}`);
    if (job.state !== 'running') throw wrongState(`The job cannot promise a failure: its state is ${job.state}`);
    const step = await context.load.step.load(job.stepId);
    const definition = step ? stepDefinition(step) : null;
    const softFail = job.softFail ?? (definition && 'softFail' in definition ? definition.softFail : false);
    const promise = {
      promisedExitStatus: exitStatus,
      promisedExitStatusAt: context.now,
      softFailed: softFails(softFail, exitStatus),
    };
    await changeJobs(context, [job.id], promise, { state: 'running' });
    noteJob(context, job, 'promise_failure', reason || `promised exit status ${exitStatus}`);
    await advanceBuild(context, build, { reason: 'a job promised to fail' });
  },
});

import { z } from 'zod';
import { largestInteger, smallestInteger } from '../../../domain/integer-column.js';
import { byteLength, limits } from '../../../domain/limits/limits.js';
import { notFound, wrongState } from '../../../domain/problem.js';
import { isId } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import { endJob } from '../../../engine/builds/end-job.js';
import { type LockedJob, lockJobOfCluster } from '../../../engine/builds/lock-job.js';
import { findStack, stackInput, type StackSubject } from '../../../resources/agents/stacks/find-stack.js';
import { jobInput } from '../../../resources/builds/jobs/held-job.js';

const status = 'must be a whole number';

const input = stackInput.extend(jobInput.shape).extend({
  exitStatus: z.number(status).int(status).min(smallestInteger).max(largestInteger).nullish(),
  detail: z
    .string()
    .min(1, 'is missing')
    .refine((text) => byteLength(text) <= limits.stackDetailBytes, `may have ${limits.stackDetailBytes} bytes at most`),
});

interface JobToFinish extends StackSubject, LockedJob {}

/** Exit status of a job that its stack ends without naming one: it did not run, so it never passes. */
const notRun = -1;

/**
 * POST finish of a stack: ends a job that no agent has taken, because its stack cannot run it or has done without an
 * agent. With exit status 0 it passes, with any other it fails for the reason `stack_error`, which retry rules may
 * name. Throws `wrong_state` for a job that an agent has, that another stack has reserved or that has ended.
 */
export const finishJobOfStack = defineOperation({
  name: 'stack.finish-job',
  summary: 'Ends a job that its stack does not start an agent for.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input,
  subject: async (context, { stack, job }): Promise<JobToFinish> => {
    const row = await findStack(context, stack);
    const { organizationId, clusterId } = row.token;
    const locked = isId(job) ? await lockJobOfCluster(context, { id: job, organizationId, clusterId }) : null;
    if (!locked) throw notFound('The cluster of this agent token has no such job');
    return { ...row, ...locked };
  },
  run: async (context, { exitStatus, detail }, { stack, job, build }): Promise<void> => {
    if (job.state === 'reserved' && job.stackId !== stack.id)
      throw wrongState('The job cannot be finished: another stack has reserved it');
    const passes = exitStatus === 0;
    const { ended } = await endJob(context, build, job, {
      event: passes ? 'stack_finish' : 'stack_error',
      exitStatus: exitStatus ?? notRun,
      signalReason: passes ? null : 'stack_error',
      reason: passes ? 'finished by its stack' : 'its stack could not run it',
      detail,
    });
    if (!ended) throw wrongState(`The job cannot be finished: its state is ${job.state}`);
  },
});

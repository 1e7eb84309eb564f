import { wrongState } from '../../../domain/problem.js';
import { defineOperation } from '../../../core/operation.js';
import { moveJob } from '../../../engine/state/jobs.js';
import { type AcceptedJob, acceptedJob } from '../../../resources/builds/jobs/accepted-job.js';
import { callingSession, jobInput, lockHeldJob } from '../../../resources/builds/jobs/held-job.js';

/**
 * PUT accept: assigns an offered job to its agent. The same agent gets the same reply until it starts the job, because
 * the first reply may be lost; every other agent is refused.
 */
export const acceptJob = defineOperation({
  name: 'job.accept',
  summary: 'Accepts a job that was offered to the agent.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: jobInput,
  subject: (context, { job }) => {
    callingSession(context);
    return lockHeldJob(context, job, { offered: true });
  },
  run: async (context, _input, { job, build, agent }): Promise<AcceptedJob> => {
    if (job.state === 'accepted') return acceptedJob(context, { job, build }, agent);
    const accepted = await moveJob(context, job, 'accept', {
      reason: 'accepted by its agent',
      set: { uploadCount: build.uploadCount },
      where: { agentId: agent.id, attempt: job.attempt },
    });
    if (accepted.kind !== 'moved') throw wrongState(`The job cannot be accepted: its state is ${job.state}`);
    return acceptedJob(context, { job: accepted.job, build }, agent);
  },
});

import { transition } from '../../../domain/builds/job-state.js';
import { wrongState } from '../../../domain/problem.js';
import { defineOperation } from '../../../core/operation.js';
import { recordJobChange } from '../../../engine/builds/apply-changes.js';
import { jobPatch, lastStamp } from '../../../engine/builds/job-patch.js';
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
    if (transition(job.type, job.state, 'accept').kind !== 'moved')
      throw wrongState(`The job cannot be accepted: its state is ${job.state}`);
    const patch = {
      ...jobPatch('accepted', { now: context.now, expiresAt: context.now, since: lastStamp(job) }),
      uploadCount: build.uploadCount,
    };
    await context.change('jobs', [job.id], {
      set: patch,
      where: { state: 'assigned', agentId: agent.id, attempt: job.attempt },
      all: true,
    });
    recordJobChange(context, job, 'accept', 'accepted', 'accepted by its agent');
    return acceptedJob(context, { job: { ...job, ...patch }, build }, agent);
  },
});

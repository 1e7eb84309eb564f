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
    return lockHeldJob(context, job);
  },
  run: async (context, _input, { job, build, agent }): Promise<AcceptedJob> => {
    if (job.state === 'accepted') return acceptedJob(context, job, agent);
    if (transition(job.type, job.state, 'accept').kind !== 'moved')
      throw wrongState(`The job cannot be accepted: its state is ${job.state}`);
    const accepted = await context.db
      .updateTable('jobs')
      .set({
        ...jobPatch('accepted', { now: context.now, expiresAt: context.now, since: lastStamp(job) }),
        uploadCount: build.uploadCount,
      })
      .where('id', '=', job.id)
      .where('state', '=', 'assigned')
      .where('agentId', '=', agent.id)
      .where('attempt', '=', job.attempt)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordJobChange(context, job, 'accept', 'accepted', 'accepted by its agent');
    return acceptedJob(context, accepted, agent);
  },
});

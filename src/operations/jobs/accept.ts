import { transition } from '../../domain/job-state.js';
import { wrongState } from '../../domain/problem.js';
import { defineOperation } from '../operation.js';
import { recordJobChange } from '../scheduling/apply-changes.js';
import { jobPatch, lastStamp } from '../scheduling/job-patch.js';
import { type AcceptedJob, acceptedJob } from './accepted-job.js';
import { callingSession, jobInput, lockHeldJob } from './held-job.js';

/**
 * PUT accept (agent-protocol 5.1): an offered job becomes its agent's. The same agent gets the same answer again
 * until it starts the job, for the first answer may be lost; everybody else is refused (I1).
 */
export const acceptJob = defineOperation({
  name: 'job.accept',
  summary: 'Takes a job that was offered to the agent.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: jobInput,
  subject: (context, { job }) => {
    callingSession(context);
    return lockHeldJob(context, job);
  },
  run: async (context, _input, { job, agent }): Promise<AcceptedJob> => {
    if (job.state === 'accepted') return acceptedJob(context, job, agent);
    if (transition(job.type, job.state, 'accept').kind !== 'moved') throw wrongState(`The job cannot be accepted: its state is ${job.state}`);
    const accepted = await context.db
      .updateTable('jobs')
      .set(jobPatch('accepted', { now: context.now, expiresAt: context.now, since: lastStamp(job) }))
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

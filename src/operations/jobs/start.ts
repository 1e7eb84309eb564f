import type { Context } from '../../context.js';
import { transition } from '../../domain/job-state.js';
import type { BuildRow, JobRow } from '../../entities/database.js';
import { defineOperation } from '../operation.js';
import { advanceBuild } from '../scheduling/advance-build.js';
import { recordJobChange } from '../scheduling/apply-changes.js';
import { endJob } from '../scheduling/end-job.js';
import { jobPatch, lastStamp } from '../scheduling/job-patch.js';
import { jobInput, lockHeldJob } from './held-job.js';

/** Whether the job runs now; where not, the agent is to be told so with 422 after what was settled is committed. */
export type StartedJob = { started: true; job: JobRow } | { started: false; reason: string };

/**
 * PUT start (agent-protocol 5.5). A refused agent drops the job and never says so (trap T16): a job that was
 * canceled between accept and start is therefore settled here.
 */
export const startJob = defineOperation({
  name: 'job.start',
  summary: 'Says that a job has started.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: jobInput,
  subject: (context, { job }) => lockHeldJob(context, job),
  run: async (context, _input, { job, build }): Promise<StartedJob> => {
    if (job.state === 'running') return { started: true, job };
    if (transition(job.type, job.state, 'start').kind === 'moved') {
      const running = await runJob(context, job);
      await advanceBuild(context, build, { reason: 'started' });
      return { started: true, job: running };
    }
    if (job.startedAt === null) await settleUnstarted(context, build, job);
    return { started: false, reason: `The job cannot be started: its state is ${job.state}` };
  },
});

/** Moves an accepted job to running; the time is the server's, so that durations are never negative (I20). */
export async function runJob(context: Context, job: JobRow): Promise<JobRow> {
  const running = await context.db
    .updateTable('jobs')
    .set(jobPatch('running', { now: context.now, expiresAt: context.now, timeoutInMinutes: job.timeoutInMinutes, since: lastStamp(job) }))
    .where('id', '=', job.id)
    .where('state', '=', 'accepted')
    .where('attempt', '=', job.attempt)
    .returningAll()
    .executeTakeFirstOrThrow();
  recordJobChange(context, job, 'start', 'running', 'started by its agent');
  return running;
}

/** Does nothing for a job that has ended: that move is not legal. */
async function settleUnstarted(context: Context, build: BuildRow, job: JobRow): Promise<void> {
  await endJob(context, build, job, { event: 'force_stop', exitStatus: null, reason: 'canceled before it started' });
}

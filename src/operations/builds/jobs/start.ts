import type { Context } from '../../../request/context.js';
import { transition } from '../../../domain/builds/job-state.js';
import type { BuildRow, JobRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { advanceLoaded } from '../../../engine/builds/advance-build.js';
import { endJob } from '../../../engine/builds/end-job.js';
import { loadBuild, withJob } from '../../../engine/builds/load-facts.js';
import { moveJob } from '../../../engine/state/jobs.js';
import { jobInput, lockHeldJob } from '../../../resources/builds/jobs/held-job.js';

/** Whether the job runs now. If not, the surface answers 422 after the transaction has committed. */
export type StartedJob = { started: true; job: JobRow } | { started: false; reason: string };

/**
 * PUT start: records that a job's process has started. A refused agent drops the job without reporting, so a job that
 * was canceled between accept and start ends here.
 */
export const startJob = defineOperation({
  name: 'job.start',
  summary: 'Starts a job.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: jobInput,
  subject: (context, { job }) => lockHeldJob(context, job),
  run: async (context, _input, { job, build }): Promise<StartedJob> => {
    if (job.state === 'running') return { started: true, job };
    if (transition(job.type, job.state, 'start').kind === 'moved') {
      const loaded = await loadBuild(context, build);
      const running = await runJob(context, job);
      await advanceLoaded(context, withJob(loaded, running), { reason: 'started' });
      return { started: true, job: running };
    }
    if (job.startedAt === null) await settleUnstarted(context, build, job);
    return { started: false, reason: `The job cannot be started: its state is ${job.state}` };
  },
});

/**
 * Moves an accepted job to running, with the server's time so that no duration is negative; returns any other as it is.
 */
export async function runJob(context: Context, job: JobRow): Promise<JobRow> {
  const started = await moveJob(context, job, 'start', {
    reason: 'started by its agent',
    where: { attempt: job.attempt },
  });
  return started.kind === 'moved' ? started.job : job;
}

/** Ends the job; does nothing if it has already ended. */
async function settleUnstarted(context: Context, build: BuildRow, job: JobRow): Promise<void> {
  await endJob(context, build, job, { event: 'force_stop', exitStatus: null, reason: 'canceled before it started' });
}

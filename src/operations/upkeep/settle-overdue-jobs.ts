import type { Context, Services } from '../../context.js';
import type { BuildRow, JobRow } from '../../entities/database.js';
import { lockJob } from '../scheduling/lock-job.js';
import { requeueJob } from '../jobs/requeue-job.js';
import { recordJobChange } from '../scheduling/apply-changes.js';
import { endJob } from '../scheduling/end-job.js';
import { jobPatch } from '../scheduling/job-patch.js';
import { asSystem } from '../system-transaction.js';
import { eachAlone } from './each-alone.js';

const atOnce = 50;
/** A job that could not be settled is looked at again after this, so that it holds up no others. */
const postponedMs = 60_000;

/**
 * Settles jobs whose state has run out: offers and acceptances that nothing followed, timeouts, stops that no agent
 * confirmed, jobs nobody picked up. Each in its own transaction; the number that were dealt with.
 */
export async function settleOverdueJobs(services: Services): Promise<number> {
  const now = services.clock.now();
  const due = await services.db.selectFrom('jobs').select(['id', 'buildId']).where('deadlineAt', '<=', now).orderBy('deadlineAt').orderBy('id').limit(atOnce).execute();
  return eachAlone(services, due, settleOne, async ({ id }) => {
    await services.db.updateTable('jobs').set({ deadlineAt: new Date(now.getTime() + postponedMs) }).where('id', '=', id).where('deadlineAt', '<=', now).execute();
  });
}

/** False where the build is being changed by somebody else: the next round looks again. */
async function settleOne(services: Services, due: Pick<JobRow, 'id' | 'buildId'>): Promise<boolean> {
  return asSystem(services, 'deadline', async (context) => {
    const locked = await lockJob(context, due, { skipLocked: true });
    if (!locked) return false;
    if (locked.job.deadlineAt !== null && locked.job.deadlineAt <= context.now) await settle(context, locked.job, locked.build);
    return true;
  });
}

async function settle(context: Context, job: JobRow, build: BuildRow): Promise<void> {
  switch (job.state) {
    case 'reserved':
    case 'assigned':
    case 'accepted':
      await requeueJob(context, job, `${job.state} for too long`);
      return;
    case 'running':
      await context.db.updateTable('jobs').set(jobPatch('timing_out', { now: context.now, expiresAt: context.now })).where('id', '=', job.id).where('state', '=', 'running').execute();
      recordJobChange(context, job, 'time_out', 'timing_out', `ran longer than ${job.timeoutInMinutes} minutes`);
      return;
    case 'canceling':
    case 'timing_out':
      await endJob(context, build, job, { event: 'force_stop', exitStatus: job.startedAt === null ? null : -1, reason: 'its agent did not report the end in time' });
      return;
    case 'limiting':
    case 'limited':
    case 'scheduled':
      await endJob(context, build, job, { event: 'expire', exitStatus: null, reason: 'no agent took it in time' });
      return;
    default:
      await context.db.updateTable('jobs').set({ deadlineAt: null }).where('id', '=', job.id).execute();
  }
}

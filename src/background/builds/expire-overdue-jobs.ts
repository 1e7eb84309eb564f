import type { Context } from '../../context.js';
import type { Services } from '../../services.js';
import type { BuildRow, JobRow } from '../../entities/database.js';
import { lockJob } from '../../engine/builds/lock-job.js';
import { requeueJob } from '../../engine/agents/requeue-job.js';
import { recordJobChange } from '../../engine/builds/apply-changes.js';
import { endJob } from '../../engine/builds/end-job.js';
import { jobPatch } from '../../engine/builds/job-patch.js';
import { asSystem } from '../../core/system-transaction.js';
import { eachAlone } from '../each-alone.js';

const atOnce = 50;
/** A job that could not be expired is retried after this, so that it holds up no others. */
const postponedMs = 60_000;

/**
 * Expires jobs past their deadline: unanswered offers and acceptances, timeouts, unconfirmed stops, jobs without an
 * agent. Each in its own transaction. Returns the number of jobs.
 */
export async function expireOverdueJobs(services: Services): Promise<number> {
  const now = services.clock.now();
  const due = await services.db
    .selectFrom('jobs as j')
    .innerJoin('pipelines as p', 'p.id', 'j.pipelineId')
    .select(['j.id', 'j.buildId'])
    .where('j.deadlineAt', '<=', now)
    .orderBy('j.deadlineAt')
    .orderBy('j.id')
    .limit(atOnce)
    .execute();
  return eachAlone(services, due, settleOne, async ({ id }) => {
    await services.db
      .updateTable('jobs')
      .set({ deadlineAt: new Date(now.getTime() + postponedMs) })
      .where('id', '=', id)
      .where('deadlineAt', '<=', now)
      .execute();
  });
}

/** False if the build is locked by another transaction: the next round tries again. */
async function settleOne(services: Services, due: Pick<JobRow, 'id' | 'buildId'>): Promise<boolean> {
  return asSystem(services, 'deadline', async (context) => {
    const locked = await lockJob(context, due, { skipLocked: true });
    if (!locked) return false;
    if (locked.job.deadlineAt !== null && locked.job.deadlineAt <= context.now)
      await settle(context, locked.job, locked.build);
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
      await context.db
        .updateTable('jobs')
        .set(jobPatch('timing_out', { now: context.now, expiresAt: context.now }))
        .where('id', '=', job.id)
        .where('state', '=', 'running')
        .execute();
      recordJobChange(context, job, 'time_out', 'timing_out', `ran longer than ${job.timeoutInMinutes} minutes`);
      return;
    case 'canceling':
    case 'timing_out':
      await endJob(context, build, job, {
        event: 'force_stop',
        exitStatus: job.startedAt === null ? null : -1,
        reason: 'its agent did not report the end in time',
      });
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

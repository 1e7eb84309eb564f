import type { Context } from '../../request/context.js';
import type { Services } from '../../services/services.js';
import type { BuildRow, JobRow } from '../../entities/database.js';
import { lockJob } from '../../engine/builds/lock-job.js';
import { dueEvent } from '../../domain/builds/timeouts.js';
import { requeueJob } from '../../engine/agents/release-from-agent.js';
import { endJob } from '../../engine/builds/end-job.js';
import { changeJobs, changeJobsWhere, moveJob } from '../../engine/state/jobs.js';
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
  return eachAlone(services, 'deadlines', due, settleOne, async ({ id }) => {
    await changeJobsWhere(services.db, { deadlineAt: new Date(now.getTime() + postponedMs) }, (eb) =>
      eb.and([eb('id', '=', id), eb('deadlineAt', '<=', now)]),
    );
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

/** Carries out what is due for a job whose deadline has passed. */
async function settle(context: Context, job: JobRow, build: BuildRow): Promise<void> {
  const event = dueEvent(job.state);
  switch (event) {
    case 'requeue':
      await requeueJob(context, job, `${job.state} for too long`);
      return;
    case 'time_out':
      await moveJob(context, job, event, { reason: `ran longer than ${job.timeoutInMinutes} minutes` });
      return;
    case 'force_stop':
      await endJob(context, build, job, {
        event,
        exitStatus: job.startedAt === null ? null : -1,
        reason: 'its agent did not report the end in time',
      });
      return;
    case 'expire':
      await endJob(context, build, job, { event, exitStatus: null, reason: 'no agent took it in time' });
      return;
    case null:
      await changeJobs(context, [job.id], { deadlineAt: null });
  }
}

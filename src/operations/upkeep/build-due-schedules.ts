import type { Context, Services } from '../../context.js';
import { readCronLine } from '../../domain/cron/cron-line.js';
import { Problem } from '../../domain/problem.js';
import type { PipelineScheduleRow } from '../../entities/database.js';
import { insertBuild } from '../builds/insert-build.js';
import type { NewBuild } from '../builds/new-build.js';
import { recordSchedule } from '../pipeline-schedules/record.js';
import { asSystem } from '../system-transaction.js';
import { eachAlone } from './each-alone.js';

const atOnce = 50;
/** A schedule whose build failed for a reason of ours is looked at again after this, so that it holds up no others. */
const postponedMs = 60_000;

type Due = Pick<PipelineScheduleRow, 'id' | 'nextBuildAt'>;

/**
 * Makes the builds of all schedules whose tick has come (rest-facts 4.11). The tick is moved on in the transaction that makes its
 * build, so that however many replicas look there is one build a tick; of ticks that passed while nobody looked one is made
 * up for. The number dealt with.
 */
export async function buildDueSchedules(services: Services): Promise<number> {
  const now = services.clock.now();
  const due = await services.db.selectFrom('pipeline_schedules').select(['id', 'nextBuildAt']).where('nextBuildAt', '<=', now).orderBy('nextBuildAt').orderBy('id').limit(atOnce).execute();
  return eachAlone(services, due, buildOne, async ({ id, nextBuildAt }) => {
    await services.db.updateTable('pipeline_schedules').set({ nextBuildAt: new Date(now.getTime() + postponedMs) }).where('id', '=', id).where('nextBuildAt', '=', nextBuildAt).execute();
  });
}

async function buildOne(services: Services, due: Due): Promise<boolean> {
  try {
    return await asSystem(services, 'schedule', async (context) => {
      const schedule = await moveOn(context, due);
      if (!schedule) return false;
      const pipeline = await context.load.pipeline.load(schedule.pipelineId);
      const organization = pipeline && (await context.load.organization.load(pipeline.organizationId));
      if (!pipeline || !organization) return false;
      await insertBuild(context, { organization, pipeline }, buildOf(schedule));
      return true;
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return disable(services, due, sentenceOf(error));
  }
}

/** Takes the tick: null where somebody else did, or the schedule was changed since. */
async function moveOn(context: Context, { id, nextBuildAt }: Due): Promise<PipelineScheduleRow | null> {
  const query = context.db.selectFrom('pipeline_schedules').selectAll().where('id', '=', id).where('enabled', '=', true).where('nextBuildAt', '=', nextBuildAt);
  const schedule = await query.forUpdate().skipLocked().executeTakeFirst();
  if (!schedule) return null;
  const read = readCronLine(schedule.cronline);
  const next = read.ok ? read.line.next(context.now) : null;
  await context.db.updateTable('pipeline_schedules').set({ nextBuildAt: next }).where('id', '=', id).execute();
  return schedule;
}

/** Nobody created it: what it triggers is decided by the teams the pipelines share (rest-facts 1.7). */
function buildOf(schedule: PipelineScheduleRow): NewBuild {
  return {
    commit: schedule.commit,
    branch: schedule.branch,
    message: schedule.message ?? 'Scheduled build',
    author: null,
    env: schedule.env,
    metaData: {},
    cleanCheckout: false,
    ignorePipelineBranchFilters: false,
    pullRequest: null,
    source: 'schedule',
    creatorId: null,
    pipelineScheduleId: schedule.id,
  };
}

function sentenceOf({ message, details }: Problem): string {
  const fields = (details.fields ?? []).map(({ field, code }) => `${field} ${code}`).join(', ');
  return (fields === '' ? message : `${message}: ${fields}`).slice(0, 2000);
}

/** A schedule that cannot build rests until somebody enables it again. */
async function disable(services: Services, { id, nextBuildAt }: Due, failedMessage: string): Promise<boolean> {
  return asSystem(services, 'schedule', async (context) => {
    const failed = await context.db
      .updateTable('pipeline_schedules')
      .set({ enabled: false, nextBuildAt: null, failedAt: context.now, failedMessage })
      .where('id', '=', id)
      .where('enabled', '=', true)
      .where('nextBuildAt', '=', nextBuildAt)
      .returningAll()
      .executeTakeFirst();
    if (failed) recordSchedule(context, failed, 'fail', failedMessage);
    return failed !== undefined;
  });
}

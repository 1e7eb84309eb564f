import type { Context } from '../../request/context.js';
import type { Services } from '../../services/services.js';
import { readCronLine } from '../../domain/pipelines/cron/cron-line.js';
import { Problem } from '../../domain/problem.js';
import type { PipelineScheduleRow } from '../../entities/database.js';
import { insertBuild } from '../../engine/new-builds/insert-build.js';
import { type NewBuild, newBuild } from '../../engine/new-builds/new-build.js';
import { asSystem } from '../../core/system-transaction.js';
import { eachAlone } from '../each-alone.js';
import { disableSchedule } from './disable-schedule.js';

const atOnce = 50;
/** A schedule whose build failed by an internal error is retried after this, so that it holds up no others. */
const postponedMs = 60_000;

type Due = Pick<PipelineScheduleRow, 'id' | 'nextBuildAt'>;

/**
 * Creates the builds of due schedules. The tick advances in the transaction that creates its build, so that any number
 * of replicas create one build per tick; of the ticks missed during a downtime one is made up for. Returns the number
 * of schedules processed.
 */
export async function buildDueSchedules(services: Services): Promise<number> {
  const now = services.clock.now();
  const due = await services.db
    .selectFrom('pipeline_schedules')
    .select(['id', 'nextBuildAt'])
    .where('nextBuildAt', '<=', now)
    .orderBy('nextBuildAt')
    .orderBy('id')
    .limit(atOnce)
    .execute();
  return eachAlone(services, 'schedules', due, buildOne, async ({ id, nextBuildAt }) => {
    await services.db
      .updateTable('pipeline_schedules')
      .set({ nextBuildAt: new Date(now.getTime() + postponedMs) })
      .where('id', '=', id)
      .where('nextBuildAt', '=', nextBuildAt)
      .execute();
  });
}

async function buildOne(services: Services, due: Due): Promise<boolean> {
  try {
    return await asSystem(services, 'schedule', async (context) => {
      const schedule = await moveOn(context, due);
      if (!schedule) return false;
      const pipeline = await context.uncheckedRows.pipeline.load(schedule.pipelineId);
      const organization = pipeline && (await context.load.organization.load(pipeline.organizationId));
      if (!pipeline || !organization) return false;
      await insertBuild(context, { organization, pipeline }, buildOf(schedule));
      return true;
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return asSystem(services, 'schedule', (context) => disableSchedule(context, due, sentenceOf(error)));
  }
}

/** Advances the tick; null if another replica did, or the schedule has changed since. */
async function moveOn(context: Context, { id, nextBuildAt }: Due): Promise<PipelineScheduleRow | null> {
  const query = context.db
    .selectFrom('pipeline_schedules')
    .selectAll()
    .where('id', '=', id)
    .where('enabled', '=', true)
    .where('nextBuildAt', '=', nextBuildAt);
  const schedule = await query.forUpdate().skipLocked().executeTakeFirst();
  if (!schedule) return null;
  const read = readCronLine(schedule.cronline);
  const next = read.ok ? read.line.next(context.now) : null;
  await context.db.updateTable('pipeline_schedules').set({ nextBuildAt: next }).where('id', '=', id).execute();
  return schedule;
}

/** A scheduled build has no creator: its trigger steps are authorized by the teams that the pipelines share. */
function buildOf(schedule: PipelineScheduleRow): NewBuild {
  return newBuild({
    commit: schedule.commit,
    branch: schedule.branch,
    message: schedule.message ?? 'Scheduled build',
    env: schedule.env,
    source: 'schedule',
    creatorId: null,
    pipelineScheduleId: schedule.id,
  });
}

function sentenceOf({ message, details }: Problem): string {
  const fields = (details.fields ?? []).map(({ field, code }) => `${field} ${code}`).join(', ');
  return (fields === '' ? message : `${message}: ${fields}`).slice(0, 2000);
}

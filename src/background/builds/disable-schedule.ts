import type { Context } from '../../request/context.js';
import type { PipelineScheduleRow } from '../../entities/database.js';
import { recordSchedule } from '../../resources/pipelines/schedules/record.js';

/**
 * Disables a schedule whose build could not be created, until a user enables it again. `nextBuildAt`: only while it is
 * due then. False if it was disabled or changed meanwhile.
 */
export async function disableSchedule(
  context: Context,
  { id, nextBuildAt }: Pick<PipelineScheduleRow, 'id'> & Partial<Pick<PipelineScheduleRow, 'nextBuildAt'>>,
  failedMessage: string,
): Promise<boolean> {
  let query = context.db
    .updateTable('pipeline_schedules')
    .set({ enabled: false, nextBuildAt: null, failedAt: context.now, failedMessage })
    .where('id', '=', id)
    .where('enabled', '=', true);
  if (nextBuildAt !== undefined) query = query.where('nextBuildAt', '=', nextBuildAt);
  const failed = await query.returningAll().executeTakeFirst();
  if (failed) recordSchedule(context, failed, 'fail', failedMessage);
  return failed !== undefined;
}

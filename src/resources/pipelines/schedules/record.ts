import type { Context } from '../../../request/context.js';
import type { PipelineScheduleRow } from '../../../entities/database.js';

/** Records the event of a schedule, as an event of its pipeline. */
export function recordSchedule(
  context: Context,
  schedule: PipelineScheduleRow,
  verb: 'create' | 'update' | 'delete' | 'fail',
  reason: string | null = null,
): void {
  context.record({
    organizationId: schedule.organizationId,
    subject: 'pipeline',
    subjectId: schedule.pipelineId,
    pipelineId: schedule.pipelineId,
    type: `pipeline-schedule.${verb}`,
    reason,
    data: { schedule: schedule.id, cronline: schedule.cronline, enabled: schedule.enabled },
  });
}

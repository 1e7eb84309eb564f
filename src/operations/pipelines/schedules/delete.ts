import { defineOperation } from '../../../core/operation.js';
import {
  findSchedule,
  scheduleInput,
  type ScheduleSubject,
} from '../../../resources/pipelines/schedules/find-schedule.js';
import { recordSchedule } from '../../../resources/pipelines/schedules/record.js';

/** Deletes a schedule; its builds stay. */
export const deleteSchedule = defineOperation({
  name: 'pipeline-schedule.delete',
  summary: 'Deletes a schedule of a pipeline.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  onArchived: true,
  refusal: 'sentence',
  input: scheduleInput,
  subject: (context, input) => findSchedule(context, input, { lock: true }),
  run: async (context, _input, subject: ScheduleSubject): Promise<ScheduleSubject> => {
    await context.db.deleteFrom('pipeline_schedules').where('id', '=', subject.pipelineSchedule.id).execute();
    recordSchedule(context, subject.pipelineSchedule, 'delete');
    return subject;
  },
});

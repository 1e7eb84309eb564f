import { defineOperation } from '../../../core/operation.js';
import {
  findSchedule,
  scheduleInput,
  type ScheduleSubject,
} from '../../../resources/pipelines/schedules/find-schedule.js';

/** Returns one schedule of a pipeline. */
export const getSchedule = defineOperation({
  name: 'pipeline-schedule.get',
  summary: 'Returns one schedule of a pipeline.',
  kind: 'query',
  scope: 'read_pipelines',
  access: 'visible',
  refusal: 'sentence',
  input: scheduleInput,
  subject: (context, input) => findSchedule(context, input),
  run: async (_context, _input, subject: ScheduleSubject) => subject,
});

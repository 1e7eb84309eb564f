import { defineOperation } from '../operation.js';
import { findSchedule, scheduleInput, type ScheduleSubject } from './find-schedule.js';

/** One schedule of a pipeline (rest-facts 3.4). */
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

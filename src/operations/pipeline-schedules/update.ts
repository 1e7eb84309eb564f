import type { z } from 'zod';
import type { Context } from '../../context.js';
import { jsonb } from '../../database/row-conversion.js';
import type { Patch, PipelineScheduleRow } from '../../entities/database.js';
import { defineOperation } from '../operation.js';
import { refuseArchived } from '../pipelines/update.js';
import { cronline, defaultCommit, nextTick, scheduleFields } from './fields.js';
import { findSchedule, scheduleInput, type ScheduleSubject } from './find-schedule.js';
import { recordSchedule } from './record.js';

const input = scheduleInput.extend({ cronline: cronline.optional(), ...scheduleFields });

/**
 * Changes what is given of a schedule. Enabling it clears what it failed with and looks ahead from now: ticks that
 * passed while it was disabled are not made up for (rest-facts 3.4).
 */
export const updateSchedule = defineOperation({
  name: 'pipeline-schedule.update',
  summary: 'Updates a schedule of a pipeline.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  refusal: 'sentence',
  input,
  subject: (context, given) => findSchedule(context, given, { lock: true }),
  run: async (context, given, subject: ScheduleSubject): Promise<ScheduleSubject> => {
    refuseArchived(subject.pipeline);
    const { pipelineSchedule: before } = subject;
    const pipelineSchedule = await context.db
      .updateTable('pipeline_schedules')
      .set({ ...buildColumns(given, subject), ...timeColumns(context, given, before) })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordSchedule(context, pipelineSchedule, 'update');
    return { ...subject, pipelineSchedule };
  },
});

function buildColumns(given: z.output<typeof input>, { pipeline, pipelineSchedule: before }: ScheduleSubject): Patch<'pipeline_schedules'> {
  return {
    label: given.label === undefined ? before.label : (given.label ?? ''),
    message: given.message === undefined ? before.message : given.message || null,
    commit: given.commit === undefined ? before.commit : given.commit || defaultCommit,
    branch: given.branch === undefined ? before.branch : given.branch || pipeline.defaultBranch,
    ...(given.env === undefined ? {} : { env: jsonb(given.env ?? {}) as never }),
  };
}

function timeColumns(context: Context, given: z.output<typeof input>, before: PipelineScheduleRow): Patch<'pipeline_schedules'> {
  const line = given.cronline ?? before.cronline;
  const enabled = given.enabled ?? before.enabled;
  const next = nextTick(line, context.now);
  if (!enabled) return { cronline: line, enabled, nextBuildAt: null };
  // A tick that is due and not made yet is made, unless another line says otherwise.
  const stays = before.enabled && line === before.cronline;
  return { cronline: line, enabled, nextBuildAt: stays ? before.nextBuildAt : next, failedAt: null, failedMessage: null };
}

import { branchOfNewBuilds } from '../../../domain/pipelines/default-branch.js';
import type { z } from 'zod';
import type { Context } from '../../../request/context.js';
import type { Patch, PipelineScheduleRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { cronline, defaultCommit, nextTick, scheduleFields } from '../../../resources/pipelines/schedules/fields.js';
import {
  findSchedule,
  scheduleInput,
  type ScheduleSubject,
} from '../../../resources/pipelines/schedules/find-schedule.js';
import { recordSchedule } from '../../../resources/pipelines/schedules/record.js';

const input = scheduleInput.extend({ cronline: cronline.optional(), ...scheduleFields });

/**
 * Updates the fields present in the request. Enabling a schedule clears its error and starts from now: ticks missed
 * while it was disabled are not made up for.
 */
export const updateSchedule = defineOperation({
  name: 'pipeline-schedule.update',
  summary: 'Updates a schedule of a pipeline.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  refusal: 'sentence',
  input,
  subject: (context, request) => findSchedule(context, request, { lock: true }),
  run: async (context, request, subject: ScheduleSubject): Promise<ScheduleSubject> => {
    const { pipelineSchedule: before } = subject;
    const pipelineSchedule = await context.db
      .updateTable('pipeline_schedules')
      .set({ ...buildColumns(request, subject), ...timeColumns(context, request, before) })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordSchedule(context, pipelineSchedule, 'update');
    return { ...subject, pipelineSchedule };
  },
});

function buildColumns(
  request: z.output<typeof input>,
  { pipeline, pipelineSchedule: before }: ScheduleSubject,
): Patch<'pipeline_schedules'> {
  return {
    label: request.label === undefined ? before.label : (request.label ?? ''),
    message: request.message === undefined ? before.message : request.message || null,
    commit: request.commit === undefined ? before.commit : request.commit || defaultCommit,
    branch: request.branch === undefined ? before.branch : request.branch || branchOfNewBuilds(pipeline),
    ...(request.env === undefined ? {} : { env: request.env ?? {} }),
  };
}

function timeColumns(
  context: Context,
  request: z.output<typeof input>,
  before: PipelineScheduleRow,
): Patch<'pipeline_schedules'> {
  const line = request.cronline ?? before.cronline;
  const enabled = request.enabled ?? before.enabled;
  const next = nextTick(line, context.now);
  if (!enabled) return { cronline: line, enabled, nextBuildAt: null };
  // A tick that is due and not made yet is made, unless another line says otherwise.
  const stays = before.enabled && line === before.cronline;
  return {
    cronline: line,
    enabled,
    nextBuildAt: stays ? before.nextBuildAt : next,
    failedAt: null,
    failedMessage: null,
  };
}

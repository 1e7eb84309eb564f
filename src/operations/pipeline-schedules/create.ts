import { z } from 'zod';
import { jsonb } from '../../database/row-conversion.js';
import { limits } from '../../domain/limits.js';
import { wrongState } from '../../domain/problem.js';
import { pipelineAddress } from '../address.js';
import { defineOperation } from '../operation.js';
import { refuseArchived } from '../pipelines/update.js';
import type { PipelineSubject } from '../subject.js';
import { cronline, defaultCommit, nextTick, scheduleFields } from './fields.js';
import { pipelineOfMembers, type ScheduleSubject } from './find-schedule.js';
import { recordSchedule } from './record.js';

/** Makes a schedule that builds a pipeline at certain times, unless it is to rest at first (rest-facts 3.4, 4.11). */
export const createSchedule = defineOperation({
  name: 'pipeline-schedule.create',
  summary: 'Creates a schedule of a pipeline.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  refusal: 'sentence',
  input: z.object({ pipeline: pipelineAddress, cronline, ...scheduleFields }),
  // Its lock keeps the pipeline from being deleted meanwhile, and the count exact.
  subject: (context, { pipeline }) => pipelineOfMembers(context, pipeline, { lock: true }),
  run: async (context, given, subject: PipelineSubject): Promise<ScheduleSubject> => {
    const { pipeline } = subject;
    refuseArchived(pipeline);
    const { count } = await context.db.selectFrom('pipeline_schedules').select((eb) => eb.fn.countAll<number>().as('count')).where('pipelineId', '=', pipeline.id).executeTakeFirstOrThrow();
    if (Number(count) >= limits.schedulesPerPipeline) throw wrongState(`A pipeline may have at most ${limits.schedulesPerPipeline} schedules`);
    const enabled = given.enabled ?? true;
    const next = nextTick(given.cronline, context.now);
    const pipelineSchedule = await context.db
      .insertInto('pipeline_schedules')
      .values({
        id: context.newId(),
        organizationId: pipeline.organizationId,
        pipelineId: pipeline.id,
        label: given.label ?? '',
        cronline: given.cronline,
        message: given.message || null,
        commit: given.commit || defaultCommit,
        branch: given.branch || pipeline.defaultBranch,
        env: jsonb(given.env ?? {}),
        enabled,
        nextBuildAt: enabled ? next : null,
        createdById: context.userId,
        createdAt: context.now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    recordSchedule(context, pipelineSchedule, 'create');
    return { ...subject, pipelineSchedule };
  },
});

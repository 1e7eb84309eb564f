import { z } from 'zod';
import { branchOfNewBuilds } from '../../../domain/pipelines/default-branch.js';
import { limits } from '../../../domain/limits/limits.js';
import { wrongState } from '../../../domain/problem.js';
import { pipelineAddress } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import type { PipelineSubject } from '../../../core/subject.js';
import { cronline, defaultCommit, nextTick, scheduleFields } from '../../../resources/pipelines/schedules/fields.js';
import { pipelineOfMembers, type ScheduleSubject } from '../../../resources/pipelines/schedules/find-schedule.js';
import { recordSchedule } from '../../../resources/pipelines/schedules/record.js';

/** Creates a schedule that builds a pipeline at certain times, enabled by default. */
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
  run: async (context, request, subject: PipelineSubject): Promise<ScheduleSubject> => {
    const { pipeline } = subject;
    const { count } = await context.db
      .selectFrom('pipeline_schedules')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('pipelineId', '=', pipeline.id)
      .executeTakeFirstOrThrow();
    if (Number(count) >= limits.schedulesPerPipeline)
      throw wrongState(`A pipeline may have at most ${limits.schedulesPerPipeline} schedules`);
    const enabled = request.enabled ?? true;
    const next = nextTick(request.cronline, context.now);
    const pipelineSchedule = await context.db
      .insertInto('pipeline_schedules')
      .values({
        id: context.newId(),
        organizationId: pipeline.organizationId,
        pipelineId: pipeline.id,
        label: request.label ?? '',
        cronline: request.cronline,
        message: request.message || null,
        commit: request.commit || defaultCommit,
        branch: request.branch || branchOfNewBuilds(pipeline),
        env: request.env ?? {},
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

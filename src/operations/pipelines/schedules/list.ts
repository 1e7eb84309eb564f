import { z } from 'zod';
import type { PipelineScheduleRow } from '../../../entities/database.js';
import { pipelineAddress } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import type { PipelineSubject } from '../../../core/subject.js';
import { pipelineOfMembers } from '../../../resources/pipelines/schedules/find-schedule.js';

/** Lists the schedules of a pipeline, newest first. */
export const listSchedules = defineOperation({
  name: 'pipeline-schedule.list',
  summary: 'Lists the schedules of a pipeline.',
  kind: 'query',
  scope: 'read_pipelines',
  access: 'visible',
  refusal: 'sentence',
  input: z.object({ pipeline: pipelineAddress, paging: paging.default(defaultPaging) }),
  subject: (context, { pipeline }) => pipelineOfMembers(context, pipeline),
  run: async (context, request, { pipeline }: PipelineSubject): Promise<Page<PipelineScheduleRow>> =>
    paginate<PipelineScheduleRow>(
      context.db,
      context.db.selectFrom('pipeline_schedules').selectAll().where('pipelineId', '=', pipeline.id),
      newestFirst('id'),
      request.paging,
    ),
});

import { z } from 'zod';
import type { PipelineScheduleRow } from '../../entities/database.js';
import { pipelineAddress } from '../address.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../paging.js';
import type { PipelineSubject } from '../subject.js';
import { pipelineOfMembers } from './find-schedule.js';

/** The schedules of a pipeline, newest first (rest-facts 3.4). */
export const listSchedules = defineOperation({
  name: 'pipeline-schedule.list',
  summary: 'Lists the schedules of a pipeline.',
  kind: 'query',
  scope: 'read_pipelines',
  access: 'visible',
  refusal: 'sentence',
  input: z.object({ pipeline: pipelineAddress, paging: paging.default(defaultPaging) }),
  subject: (context, { pipeline }) => pipelineOfMembers(context, pipeline),
  run: async (context, given, { pipeline }: PipelineSubject): Promise<Page<PipelineScheduleRow>> =>
    paginate<PipelineScheduleRow>(context.db, context.db.selectFrom('pipeline_schedules').selectAll().where('pipelineId', '=', pipeline.id), newestFirst('id'), given.paging),
});

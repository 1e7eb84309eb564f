import { z } from 'zod';
import type { PipelineTriggerRow } from '../../../entities/database.js';
import { pipelineAddress } from '../../../core/address.js';
import { findPipeline } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';

/** Lists the triggers of a pipeline, newest first, without their tokens. */
export const listTriggers = defineOperation({
  name: 'pipeline-trigger.list',
  summary: 'Lists the triggers of a pipeline.',
  kind: 'query',
  scope: 'read_pipelines',
  access: 'build',
  input: z.object({ pipeline: pipelineAddress, paging: paging.default(defaultPaging) }),
  subject: (context, { pipeline }) => findPipeline(context, pipeline),
  run: async (context, { paging: page }, { pipeline }): Promise<Page<PipelineTriggerRow>> => {
    const query = context.db
      .selectFrom('pipeline_triggers as t')
      .selectAll('t')
      .where('t.pipelineId', '=', pipeline.id);
    return paginate(context.db, query, newestFirst<PipelineTriggerRow>('t.id'), page);
  },
});

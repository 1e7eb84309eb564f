import { z } from 'zod';
import type { PipelineTriggerRow } from '../../entities/database.js';
import { pipelineAddress } from '../address.js';
import { findPipeline } from '../find.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../paging.js';

/** The triggers of a pipeline, newest first; never their tokens. */
export const listTriggers = defineOperation({
  name: 'pipeline-trigger.list',
  summary: 'Lists the triggers of a pipeline.',
  kind: 'query',
  scope: 'read_pipelines',
  access: 'build',
  input: z.object({ pipeline: pipelineAddress, paging: paging.default(defaultPaging) }),
  subject: (context, { pipeline }) => findPipeline(context, pipeline),
  run: async (context, { paging: asked }, { pipeline }): Promise<Page<PipelineTriggerRow>> => {
    const query = context.db.selectFrom('pipeline_triggers as t').selectAll('t').where('t.pipelineId', '=', pipeline.id);
    return paginate(context.db, query, newestFirst<PipelineTriggerRow>('t.id'), asked);
  },
});

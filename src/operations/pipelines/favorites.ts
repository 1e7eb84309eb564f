import { z } from 'zod';
import { defineOperation } from '../../core/operation.js';

/** Returns, for each of many pipelines, whether it is a favorite of the caller. */
export const pipelineFavorites = defineOperation({
  name: 'pipeline.favorites',
  summary: 'Returns which pipelines are favorites of the caller.',
  kind: 'query',
  batchOf: 'pipeline.list',
  scope: 'read_pipelines',
  access: 'authenticated',
  input: z.object({ pipelineIds: z.array(z.uuid()).max(10_000) }),
  subject: async () => ({}),
  run: async (context, { pipelineIds }): Promise<Map<string, boolean>> => {
    const rows = await context.db
      .selectFrom('pipeline_favorites')
      .select('pipelineId')
      .where('pipelineId', 'in', pipelineIds)
      .where('userId', '=', context.userId)
      .execute();
    const marked = new Set(rows.map((row) => row.pipelineId));
    return new Map(pipelineIds.map((id) => [id, marked.has(id)]));
  },
});

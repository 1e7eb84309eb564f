import { z } from 'zod';
import { forbidden } from '../../domain/problem.js';
import { pipelineAddress } from '../../core/address.js';
import { findPipeline } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { PipelineSubject } from '../../core/subject.js';
import { flag } from '../../domain/input-text.js';

/**
 * Adds or removes a pipeline favorite of the caller; repeating it changes nothing. A private note of the caller, so it
 * leaves neither event nor audit row.
 */
export const favoritePipeline = defineOperation({
  name: 'pipeline.favorite',
  summary: 'Marks a pipeline as a favorite of the caller.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'visible',
  onArchived: true,
  audited: false,
  input: z.object({ pipeline: pipelineAddress, favorite: flag }),
  subject: (context, { pipeline }) => findPipeline(context, pipeline),
  run: async (context, { favorite }, subject: PipelineSubject): Promise<PipelineSubject> => {
    const { userId } = context;
    if (userId === null) throw forbidden();
    const { id: pipelineId, organizationId } = subject.pipeline;
    if (favorite)
      await context.db
        .insertInto('pipeline_favorites')
        .values({ userId, pipelineId, organizationId })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    else
      await context.db
        .deleteFrom('pipeline_favorites')
        .where('userId', '=', userId)
        .where('pipelineId', '=', pipelineId)
        .execute();
    return subject;
  },
});

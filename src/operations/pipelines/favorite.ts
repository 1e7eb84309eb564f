import { z } from 'zod';
import { forbidden } from '../../domain/problem.js';
import { pipelineAddress } from '../address.js';
import { findPipeline } from '../find.js';
import { defineOperation } from '../operation.js';
import type { PipelineSubject } from '../subject.js';
import { flag } from '../text.js';

/**
 * Marks a pipeline as one of the caller's favorites, or no longer; saying so again changes nothing. It is the
 * caller's own note and nothing of the pipeline, so it leaves neither event nor audit row.
 */
export const favoritePipeline = defineOperation({
  name: 'pipeline.favorite',
  summary: 'Marks a pipeline as a favorite of the caller.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'visible',
  audited: false,
  input: z.object({ pipeline: pipelineAddress, favorite: flag }),
  subject: (context, { pipeline }) => findPipeline(context, pipeline),
  run: async (context, { favorite }, subject: PipelineSubject): Promise<PipelineSubject> => {
    const { userId } = context;
    if (userId === null) throw forbidden();
    const { id: pipelineId, organizationId } = subject.pipeline;
    if (favorite) await context.db.insertInto('pipeline_favorites').values({ userId, pipelineId, organizationId }).onConflict((conflict) => conflict.doNothing()).execute();
    else await context.db.deleteFrom('pipeline_favorites').where('userId', '=', userId).where('pipelineId', '=', pipelineId).execute();
    return subject;
  },
});

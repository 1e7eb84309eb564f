import { z } from 'zod';
import { pipelineAddress } from '../../core/address.js';
import { findPipeline } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { PipelineSubject } from '../../core/subject.js';
import { deletePipelineRows } from '../../resources/pipelines/delete-rows.js';
import { recordPipeline } from '../../resources/pipelines/record.js';

/**
 * Deletes a pipeline with its builds, logs and artifacts in any state, and returns the former pipeline. It is gone at
 * once, however many builds it has; their rows and bytes are purged in the background
 * (`background/deletions/purge-pipeline.ts`). Its own events remain, as a
 * record of who deleted it.
 */
export const deletePipeline = defineOperation({
  name: 'pipeline.delete',
  summary: 'Deletes a pipeline with its builds.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  onArchived: true,
  input: z.object({ pipeline: pipelineAddress }),
  // New builds, rules and rights of teams hold the pipeline's row: after this lock none is added.
  subject: (context, { pipeline }) => findPipeline(context, pipeline, { lock: true }),
  run: async (context, _input, subject: PipelineSubject): Promise<PipelineSubject> => {
    const { pipeline } = subject;
    await deletePipelineRows(context, pipeline.organizationId, [pipeline]);
    recordPipeline(context, pipeline, { type: 'pipeline.delete', data: { slug: pipeline.slug, name: pipeline.name } });
    return subject;
  },
});

import { z } from 'zod';
import { pipelineAddress } from '../../core/address.js';
import { findPipeline } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { PipelineSubject } from '../../core/subject.js';
import { archiveColumns, recordArchiving } from '../../resources/pipelines/archive-columns.js';

/** Unarchives a pipeline; refuses one that is not archived. */
export const unarchivePipeline = defineOperation({
  name: 'pipeline.unarchive',
  summary: 'Unarchives a pipeline.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  onArchived: true,
  input: z.object({ pipeline: pipelineAddress }),
  subject: (context, { pipeline }) => findPipeline(context, pipeline, { lock: true }),
  run: async (context, _input, subject: PipelineSubject): Promise<PipelineSubject> => {
    const pipeline = await context.db
      .updateTable('pipelines')
      .set({ ...archiveColumns(context, subject.pipeline, false), updatedAt: context.now })
      .where('id', '=', subject.pipeline.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordArchiving(context, pipeline, false);
    return { ...subject, pipeline };
  },
});

import { z } from 'zod';
import { pipelineAddress } from '../../core/address.js';
import { findPipeline } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { PipelineSubject } from '../../core/subject.js';
import { archiveColumns, recordArchiving } from '../../resources/pipelines/archive-columns.js';

/**
 * Archives a pipeline: it becomes read-only and gets no new builds. Existing builds, logs and artifacts stay, and
 * running builds go on. Refuses an archived pipeline.
 */
export const archivePipeline = defineOperation({
  name: 'pipeline.archive',
  summary: 'Archives a pipeline.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  onArchived: true,
  input: z.object({ pipeline: pipelineAddress }),
  subject: (context, { pipeline }) => findPipeline(context, pipeline, { lock: true }),
  run: async (context, _input, subject: PipelineSubject): Promise<PipelineSubject> => {
    const pipeline = await context.db
      .updateTable('pipelines')
      .set({ ...archiveColumns(context, subject.pipeline, true), updatedAt: context.now })
      .where('id', '=', subject.pipeline.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordArchiving(context, pipeline, true);
    return { ...subject, pipeline };
  },
});

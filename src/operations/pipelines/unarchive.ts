import { z } from 'zod';
import { pipelineAddress } from '../address.js';
import { findPipeline } from '../find.js';
import { defineOperation } from '../operation.js';
import type { PipelineSubject } from '../subject.js';
import { archiveColumns, recordArchiving } from './archiving.js';

/** Makes an archived pipeline an active one again; one that is not archived is refused. */
export const unarchivePipeline = defineOperation({
  name: 'pipeline.unarchive',
  summary: 'Unarchives a pipeline.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
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

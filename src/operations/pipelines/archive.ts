import { z } from 'zod';
import { pipelineAddress } from '../address.js';
import { findPipeline } from '../find.js';
import { defineOperation } from '../operation.js';
import type { PipelineSubject } from '../subject.js';
import { archiveColumns, recordArchiving } from './archiving.js';

/**
 * Archives a pipeline: read-only from now on, no new builds; builds, logs and artifacts are kept, and builds that
 * run go on. One that is archived already is refused.
 */
export const archivePipeline = defineOperation({
  name: 'pipeline.archive',
  summary: 'Archives a pipeline.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
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

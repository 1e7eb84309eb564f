import { z } from 'zod';
import { pipelineAddress } from '../../../core/address.js';
import { findPipeline } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import type { PipelineSubject } from '../../../core/subject.js';
import { recordPipeline } from '../../../resources/pipelines/record.js';
import { webhookTokenColumns } from '../../../resources/pipelines/url-token.js';

/** Replaces the webhook URL of a pipeline; the old one stops working. */
export const rotateWebhookUrl = defineOperation({
  name: 'pipeline.rotate-webhook-url',
  summary: 'Replaces the webhook URL of a pipeline.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  input: z.object({ pipeline: pipelineAddress }),
  subject: (context, { pipeline }) => findPipeline(context, pipeline, { lock: true }),
  run: async (context, _input, subject: PipelineSubject): Promise<PipelineSubject> => {
    const pipeline = await context.db
      .updateTable('pipelines')
      .set({ ...webhookTokenColumns(context.services), updatedAt: context.now })
      .where('id', '=', subject.pipeline.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordPipeline(context, pipeline, { type: 'pipeline.rotate-webhook-url' });
    return { ...subject, pipeline };
  },
});

import { z } from 'zod';
import { pipelineAddress } from '../address.js';
import { findPipeline } from '../find.js';
import { defineOperation } from '../operation.js';
import type { PipelineSubject } from '../subject.js';
import { recordPipeline } from './record.js';
import { refuseArchived } from './update.js';
import { newUrlToken } from './url-token.js';

/** Gives a pipeline another webhook URL; the one it had no longer works. */
export const rotateWebhookUrl = defineOperation({
  name: 'pipeline.rotate-webhook-url',
  summary: 'Replaces the webhook URL of a pipeline.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  input: z.object({ pipeline: pipelineAddress }),
  subject: (context, { pipeline }) => findPipeline(context, pipeline, { lock: true }),
  run: async (context, _input, subject: PipelineSubject): Promise<PipelineSubject> => {
    refuseArchived(subject.pipeline);
    const pipeline = await context.db
      .updateTable('pipelines')
      .set({ webhookToken: newUrlToken(), updatedAt: context.now })
      .where('id', '=', subject.pipeline.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordPipeline(context, pipeline, { type: 'pipeline.rotate-webhook-url' });
    return { ...subject, pipeline };
  },
});

import { z } from 'zod';
import { limits } from '../../domain/limits.js';
import { pipelineAddress } from '../address.js';
import { findPipeline } from '../find.js';
import { defineOperation } from '../operation.js';
import type { PipelineSubject } from '../subject.js';
import { filledText } from '../text.js';
import { sealWebhookSecret } from '../webhook-deliveries/webhook-secret.js';
import { recordPipeline } from './record.js';
import { refuseArchived } from './update.js';

/**
 * Sets the secret that deliveries of a pipeline must be signed with, or show, where its webhook was made by hand; null:
 * its URL alone is the secret. It is encrypted, and shown to nobody again.
 */
export const setWebhookSecret = defineOperation({
  name: 'pipeline.set-webhook-secret',
  summary: 'Sets the secret that deliveries to a pipeline\'s webhook URL must show.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  input: z.object({ pipeline: pipelineAddress, secret: filledText(limits.providerSecretLength).nullable() }),
  subject: (context, { pipeline }) => findPipeline(context, pipeline, { lock: true }),
  run: async (context, { secret }, subject: PipelineSubject): Promise<PipelineSubject> => {
    const { pipeline } = subject;
    refuseArchived(pipeline);
    const columns = { secret: secret === null ? null : sealWebhookSecret(context, secret), updatedAt: context.now };
    await context.db
      .insertInto('pipeline_webhooks')
      .values({ pipelineId: pipeline.id, organizationId: pipeline.organizationId, ...columns, createdAt: context.now })
      .onConflict((conflict) => conflict.column('pipelineId').doUpdateSet(columns))
      .execute();
    recordPipeline(context, pipeline, { type: 'pipeline.set-webhook-secret', data: { set: secret !== null } });
    return subject;
  },
});

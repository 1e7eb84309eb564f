import { z } from 'zod';
import { limits } from '../../../domain/limits/limits.js';
import { pipelineAddress } from '../../../core/address.js';
import { findPipeline } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import type { PipelineSubject } from '../../../core/subject.js';
import { filledText } from '../../../domain/input-text.js';
import { sealWebhookSecret } from '../../../resources/integrations/webhook-deliveries/webhook-secret.js';
import { recordPipeline } from '../../../resources/pipelines/record.js';

/**
 * Sets the secret that deliveries of a pipeline are verified with, for webhooks created by hand; null: only the URL
 * protects them. The secret is encrypted and never shown again.
 */
export const setWebhookSecret = defineOperation({
  name: 'pipeline.set-webhook-secret',
  summary: "Sets the secret that deliveries to a pipeline's webhook URL must show.",
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  input: z.object({ pipeline: pipelineAddress, secret: filledText(limits.providerSecretLength).nullable() }),
  subject: (context, { pipeline }) => findPipeline(context, pipeline, { lock: true }),
  run: async (context, { secret }, subject: PipelineSubject): Promise<PipelineSubject> => {
    const { pipeline } = subject;
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

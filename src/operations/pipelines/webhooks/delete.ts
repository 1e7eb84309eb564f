import { z } from 'zod';
import { ProviderRefusal } from '../../../services/source-providers.js';
import { limits } from '../../../domain/limits/limits.js';
import { notFound, wrongState } from '../../../domain/problem.js';
import { pipelineAddress } from '../../../core/address.js';
import { findPipeline } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { connectionOf, openConnection } from '../../../engine/notifications/connection-access.js';
import type { PipelineSubject } from '../../../core/subject.js';
import { text } from '../../../domain/input-text.js';
import type { WebhookSubject } from './create.js';
import { recordPipeline } from '../../../resources/pipelines/record.js';

/** Deletes the webhook that was created for a pipeline; from then on only the URL protects deliveries. */
export const deleteWebhook = defineOperation({
  name: 'pipeline.delete-webhook',
  summary: 'Deletes the webhook that was created at the source provider of a pipeline.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  onArchived: true,
  input: z.object({
    pipeline: pipelineAddress,
    /** Repository of the webhook, for callers that want it verified. */
    repository: text(limits.repositoryUrlLength).nullish(),
  }),
  subject: (context, { pipeline }) => findPipeline(context, pipeline, { lock: true }),
  run: async (context, { repository: expectedRepository }, subject: PipelineSubject): Promise<WebhookSubject> => {
    const { pipeline } = subject;
    const webhook = await context.db
      .selectFrom('pipeline_webhooks')
      .selectAll()
      .where('pipelineId', '=', pipeline.id)
      .executeTakeFirst();
    if (!webhook || webhook.externalId === null || webhook.repository === null) throw notFound();
    if (expectedRepository && expectedRepository !== webhook.repository && expectedRepository !== pipeline.repository)
      throw notFound();
    const { externalId, repository } = webhook;
    const connection = await connectionOf(context.db, pipeline);
    if (connection) {
      await openConnection(context.services, connection)
        .webhooks.delete({ repository, externalId })
        .catch((error: unknown) => {
          if (!(error instanceof ProviderRefusal)) throw error;
          context.services.log.warn(
            { reason: error.reason, request_id: context.request.requestId },
            'a webhook was not deleted',
          );
          throw wrongState('Webhooks could not be deleted for your repository.');
        });
    }
    await context.db.deleteFrom('pipeline_webhooks').where('pipelineId', '=', pipeline.id).execute();
    recordPipeline(context, pipeline, { type: 'pipeline.delete-webhook', data: { repository } });
    return { ...subject, webhook: { ...webhook, externalId, repository } };
  },
});

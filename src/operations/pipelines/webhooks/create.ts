import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { ProviderRefusal } from '../../../services/source-providers.js';
import { wrongState } from '../../../domain/problem.js';
import type { PipelineWebhookRow } from '../../../entities/database.js';
import { webUrls } from '../../../services/web-urls.js';
import { pipelineAddress } from '../../../core/address.js';
import { findPipeline } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { connectionOf, openConnection, repositoryAt } from '../../../engine/notifications/connection-access.js';
import type { PipelineSubject } from '../../../core/subject.js';
import { newWebhookSecret } from '../../../resources/integrations/provider-connections/new-webhook-secret.js';
import { sealWebhookSecret } from '../../../resources/integrations/webhook-deliveries/webhook-secret.js';
import { recordPipeline } from '../../../resources/pipelines/record.js';
import { webhookTokenOf } from '../../../resources/pipelines/url-token.js';

export interface WebhookSubject extends PipelineSubject {
  webhook: PipelineWebhookRow & { externalId: string; repository: string };
}

/**
 * POST webhook: creates a webhook at the provider, with a secret that deliveries must be signed with. The provider is
 * called inside the transaction, with a timeout of seconds, because its reply decides whether there is a row. If the
 * row cannot be written, the next attempt is refused by the provider because the webhook exists.
 */
export const createWebhook = defineOperation({
  name: 'pipeline.create-webhook',
  summary: 'Creates a webhook at the source provider of a pipeline, so that pushes start builds.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  input: z.object({ pipeline: pipelineAddress }),
  subject: (context, { pipeline }) => findPipeline(context, pipeline, { lock: true }),
  run: async (context, _input, subject: PipelineSubject): Promise<WebhookSubject> => {
    const { pipeline } = subject;
    const connection = await connectionOf(context.db, pipeline);
    if (!connection) throw wrongState('Auto-creating webhooks is not supported for your repository.');
    const known = await context.db
      .selectFrom('pipeline_webhooks')
      .select('externalId')
      .where('pipelineId', '=', pipeline.id)
      .executeTakeFirst();
    if (known && known.externalId !== null) throw notCreated();
    const secret = newWebhookSecret(context, connection);
    const repository = repositoryAt(connection, pipeline);
    const url = webUrls.webhook(context.services.baseUrl, webhookTokenOf(context.services, pipeline));
    const externalId = await atProvider(context, () =>
      openConnection(context.services, connection).webhooks.create({ repository, url, secret }),
    );
    const columns = {
      secret: sealWebhookSecret(context, secret),
      providerConnectionId: connection.id,
      repository,
      externalId,
      updatedAt: context.now,
    };
    const webhook = await context.db
      .insertInto('pipeline_webhooks')
      .values({ pipelineId: pipeline.id, organizationId: pipeline.organizationId, ...columns, createdAt: context.now })
      .onConflict((conflict) => conflict.column('pipelineId').doUpdateSet(columns))
      .returningAll()
      .executeTakeFirstOrThrow();
    recordPipeline(context, pipeline, { type: 'pipeline.create-webhook', data: { repository } });
    return { ...subject, webhook: { ...webhook, externalId, repository } };
  },
});

const notCreated = () => wrongState('Webhooks could not be created for your repository.');

async function atProvider(context: Context, call: () => Promise<{ externalId: string }>): Promise<string> {
  try {
    return (await call()).externalId;
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error;
    context.services.log.warn(
      { reason: error.reason, request_id: context.request.requestId },
      'a webhook was not created',
    );
    throw notCreated();
  }
}

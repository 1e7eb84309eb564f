import { defineEntity, p } from '@mikro-orm/core';
import { at, idOrNull, textOrNull } from './columns.js';

/** What a pipeline's deliveries are checked with, and the webhook made for it at the provider, if one was. */
export const PipelineWebhookSchema = defineEntity({
  name: 'PipelineWebhook',
  tableName: 'pipeline_webhooks',
  properties: {
    pipelineId: p.uuid().primary(),
    organizationId: p.uuid(),
    /** Encrypted; null: the address alone is the secret. */
    secret: textOrNull(),
    providerConnectionId: idOrNull(),
    /** `owner/name` at the provider. */
    repository: textOrNull(),
    /** The provider's id of the webhook. */
    externalId: textOrNull(),
    createdAt: at(),
    updatedAt: at(),
  },
});

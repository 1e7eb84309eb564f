import { defineEntity, p } from '@mikro-orm/core';
import { at, idOrNull, textOrNull } from '../columns.js';

/** Secret that a pipeline's deliveries are verified with, and the webhook created at the provider, if any. */
export const PipelineWebhookSchema = defineEntity({
  name: 'PipelineWebhook',
  tableName: 'pipeline_webhooks',
  properties: {
    pipelineId: p.uuid().primary(),
    organizationId: p.uuid(),
    /** Encrypted; null if only the URL protects deliveries. */
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

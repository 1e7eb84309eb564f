import type { Context } from '../../context.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { PipelineTriggerRow, ProviderConnectionRow } from '../../entities/database.js';
import type { WebhookSubject } from '../../operations/pipelines/create-webhook.js';
import { Urls } from './urls.js';
import { existing } from './values.js';

/** A webhook at a provider: its id there, and the URL it delivers to. */
export async function presentWebhook(context: Context, { pipeline, webhook }: WebhookSubject): Promise<JsonObject> {
  return {
    id: webhook.externalId,
    url: Urls.of(context).webhook(pipeline.webhookToken),
    provider: pipeline.providerId,
    repository: webhook.repository,
    created_at: formatTime(webhook.createdAt),
  };
}

/** A trigger; its token is shown once, by who makes it. */
export async function presentTrigger(context: Context, trigger: PipelineTriggerRow): Promise<JsonObject> {
  const [organization, pipeline] = await Promise.all([context.load.organization.load(trigger.organizationId), context.load.pipeline.load(trigger.pipelineId)]);
  const { api } = Urls.of(context).pipeline(existing(organization, 'an organization'), existing(pipeline, 'a pipeline'));
  return {
    id: trigger.id,
    url: `${api}/triggers/${trigger.id}`,
    kind: trigger.kind,
    description: trigger.description,
    branch: trigger.branch,
    commit: trigger.commit,
    message: trigger.message,
    env: trigger.env,
    enabled: trigger.enabled,
    signed: trigger.secret !== null,
    created_at: formatTime(trigger.createdAt),
  };
}

/** A connection to a provider; never its token. */
export async function presentConnection(context: Context, connection: ProviderConnectionRow): Promise<JsonObject> {
  const organization = existing(await context.load.organization.load(connection.organizationId), 'an organization');
  return {
    id: connection.id,
    url: `${Urls.of(context).organization(organization).api}/provider-connections/${connection.id}`,
    provider: connection.provider,
    host: connection.host,
    api_url: connection.apiUrl,
    created_at: formatTime(connection.createdAt),
  };
}

import type { Context } from '../../../request/context.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { PipelineTriggerRow } from '../../../entities/database.js';
import type { WebhookSubject } from '../../../operations/pipelines/webhooks/create.js';
import { webhookTokenOf } from '../../../resources/pipelines/url-token.js';
import { boolean, enumOf, mapOf, nullable, text, time, url, uuid } from '../../openapi/schema.js';
import { field, optionalField, resource } from '../fields.js';
import { Urls } from '../urls.js';
import { existing } from '../values.js';

/** A webhook that was created at the source provider. */
export const webhookResource = resource<{ context: Context } & Pick<WebhookSubject, 'pipeline' | 'webhook'>>({
  id: field(text, 'ID of the webhook at the source provider.', ({ webhook }) => webhook.externalId),
  url: field(url, 'URL that the provider delivers events to.', ({ context, pipeline }) =>
    Urls.of(context).webhook(webhookTokenOf(context.services, pipeline)),
  ),
  provider: field(text, 'Identifier of the source provider, such as `github`.', ({ pipeline }) => pipeline.providerId),
  repository: field(text, 'Repository that the webhook belongs to.', ({ webhook }) => webhook.repository),
  created_at: field(time, 'Time the webhook was created.', ({ webhook }) => formatTime(webhook.createdAt)),
});

export function presentWebhook(context: Context, { pipeline, webhook }: WebhookSubject): Promise<JsonObject> {
  return webhookResource.present({ context, pipeline, webhook });
}

interface TriggerSource {
  context: Context;
  trigger: PipelineTriggerRow;
  pipelineUrl: string;
  /** The credential of the trigger; null except in the reply to its creation. */
  token: string | null;
}

export const pipelineTriggerResource = resource<TriggerSource>({
  id: field(uuid, 'ID of the trigger.', ({ trigger }) => trigger.id),
  url: field(url, 'API URL of the trigger.', ({ pipelineUrl, trigger }) => `${pipelineUrl}/triggers/${trigger.id}`),
  kind: field(
    enumOf('generic', 'github', 'linear'),
    'Format of the requests that start builds.',
    ({ trigger }) => trigger.kind,
  ),
  description: field(nullable(text), 'Description of the trigger.', ({ trigger }) => trigger.description),
  branch: field(text, 'Branch of the builds.', ({ trigger }) => trigger.branch),
  commit: field(text, 'Commit of the builds.', ({ trigger }) => trigger.commit),
  message: field(text, 'Message of the builds.', ({ trigger }) => trigger.message),
  env: field(mapOf(text), 'Environment variables of the builds.', ({ trigger }) => trigger.env),
  enabled: field(boolean, 'Whether requests start builds.', ({ trigger }) => trigger.enabled),
  signed: field(
    boolean,
    'Whether requests must be signed with the secret of the trigger.',
    ({ trigger }) => trigger.secret !== null,
  ),
  created_at: field(time, 'Time the trigger was created.', ({ trigger }) => formatTime(trigger.createdAt)),
  token: optionalField(
    text,
    'Credential in the URL of the trigger; only in the reply to its creation.',
    ({ token }) => token ?? undefined,
  ),
  trigger_url: optionalField(
    url,
    'URL that starts a build by POST; only in the reply to the creation of the trigger.',
    ({ context, token }) => (token === null ? undefined : Urls.of(context).webhook(token)),
  ),
});

export function presentTrigger(context: Context, trigger: PipelineTriggerRow): Promise<JsonObject> {
  return presentTriggerWithToken(context, { trigger, token: null });
}

/** Presents a trigger with its credential, which only the reply to its creation shows. */
export async function presentTriggerWithToken(
  context: Context,
  { trigger, token }: Pick<TriggerSource, 'trigger' | 'token'>,
): Promise<JsonObject> {
  const [organization, pipeline] = await Promise.all([
    context.load.organization.load(trigger.organizationId),
    context.references.pipeline.load(trigger.pipelineId),
  ]);
  const { api } = Urls.of(context).pipeline(
    existing(organization, 'an organization'),
    existing(pipeline, 'a pipeline'),
  );
  return pipelineTriggerResource.present({ context, trigger, pipelineUrl: api, token });
}

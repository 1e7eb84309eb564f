import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { arrayOf, text } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';

export const metaResource = resource<{ webhookIps: readonly string[] }>({
  webhook_ips: field(
    arrayOf(text),
    'IP addresses and networks that outgoing webhooks are sent from; empty if none are configured.',
    ({ webhookIps }) => [...webhookIps],
  ),
});

export function presentMeta(meta: { webhookIps: readonly string[] }): Promise<JsonObject> {
  return metaResource.present(meta);
}

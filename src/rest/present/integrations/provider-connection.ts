import type { Context } from '../../../request/context.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { connectionProviders } from '../../../domain/integrations/provider-connection.js';
import { formatTime } from '../../../domain/time.js';
import type { ProviderConnectionRow } from '../../../entities/database.js';
import type { ConnectionCheck } from '../../../operations/integrations/provider-connections/check.js';
import {
  arrayOf,
  boolean,
  described,
  enumOf,
  integer,
  nullable,
  object,
  text,
  time,
  url,
  uuid,
} from '../../openapi/schema.js';
import { field, resource } from '../fields.js';
import { Urls } from '../urls.js';
import { existing } from '../values.js';

export const rateLimit = object({
  limit: described(integer, 'Requests that are allowed in a period.'),
  remaining: described(integer, 'Requests that are left.'),
  used: described(integer, 'Requests that were made.'),
  reset_at: described(time, 'Time from which all of them are allowed again.'),
});

export const presentRateLimit = ({ rateLimit: facts }: Pick<ProviderConnectionRow, 'rateLimit'>): JsonObject | null =>
  facts && { limit: facts.limit, remaining: facts.remaining, used: facts.used, reset_at: facts.resetAt };

/** A connection to a source provider; its credentials are never shown. */
export const providerConnectionResource = resource<{
  connection: ProviderConnectionRow;
  organizationUrl: string;
  webhookUrl: string;
}>({
  id: field(uuid, 'ID of the connection.', ({ connection }) => connection.id),
  url: field(
    url,
    'API URL of the connection.',
    ({ connection, organizationUrl }) => `${organizationUrl}/provider-connections/${connection.id}`,
  ),
  name: field(
    text,
    'Name of the connection; the host of the repositories unless it has another.',
    ({ connection }) => connection.name ?? connection.host,
  ),
  provider: field(enumOf(...connectionProviders), 'Kind of the connection.', ({ connection }) => connection.provider),
  host: field(text, 'Host of the repositories.', ({ connection }) => connection.host),
  api_url: field(url, 'Base URL of the API of the provider.', ({ connection }) => connection.apiUrl),
  username: field(
    nullable(text),
    'Account of the token, where the provider wants both; null otherwise.',
    ({ connection }) => connection.username,
  ),
  app_id: field(nullable(text), 'ID of the App; null for a token.', ({ connection }) => connection.appId),
  has_webhook_secret: field(
    boolean,
    'Whether webhooks made through the connection share a secret.',
    ({ connection }) => connection.webhookSecret !== null,
  ),
  webhook_url: field(
    url,
    'URL that an App, group or organization at the provider delivers to for all of its repositories; deliveries ' +
      'must be signed with the secret of the connection.',
    ({ webhookUrl }) => webhookUrl,
  ),
  failing_since: field(
    nullable(time),
    'Time since which the provider refuses the connection; null while it works.',
    ({ connection: { failingSinceAt } }) => failingSinceAt && formatTime(failingSinceAt),
  ),
  last_error: field(
    nullable(text),
    'Last refusal of a commit status, in the words of the provider; null if there was none.',
    ({ connection }) => connection.lastError,
  ),
  last_error_at: field(
    nullable(time),
    'Time of the last refusal; null if there was none.',
    ({ connection: { lastErrorAt } }) => lastErrorAt && formatTime(lastErrorAt),
  ),
  created_at: field(time, 'Time the connection was created.', ({ connection }) => formatTime(connection.createdAt)),
});

export async function presentConnection(context: Context, connection: ProviderConnectionRow): Promise<JsonObject> {
  const organization = existing(await context.load.organization.load(connection.organizationId), 'an organization');
  return providerConnectionResource.present({
    connection,
    organizationUrl: Urls.of(context).organization(organization).api,
    webhookUrl: Urls.of(context).connectionWebhook(connection.id),
  });
}

/** Result of the check of a connection. */
export const connectionCheckResource = resource<ConnectionCheck>({
  works: field(boolean, 'Whether the provider accepts the credential.', ({ report }) => report !== null),
  account: field(
    nullable(text),
    'Account that the credential belongs to; null if the provider does not tell.',
    ({ report }) => report?.account ?? null,
  ),
  permissions: field(
    nullable(arrayOf(text)),
    'Scopes or permissions of the credential, in the words of the provider; null if it does not tell.',
    ({ report }) => report?.permissions ?? null,
  ),
  may_publish_statuses: field(
    nullable(boolean),
    'Whether commit statuses may be published; null if only trying shows.',
    ({ report }) => report?.may.publishStatuses ?? null,
  ),
  may_manage_webhooks: field(
    nullable(boolean),
    'Whether webhooks may be created; null if only trying shows.',
    ({ report }) => report?.may.manageWebhooks ?? null,
  ),
  may_read_repositories: field(
    nullable(boolean),
    'Whether repositories may be read; null if only trying shows.',
    ({ report }) => report?.may.readRepositories ?? null,
  ),
  expires_at: field(
    nullable(time),
    'Time at which the credential expires; null if never, or if the provider does not tell.',
    ({ report }) => (report?.expiresAt ? formatTime(report.expiresAt) : null),
  ),
  rate_limit: field(
    nullable(rateLimit),
    'Requests that the provider allows; null if it does not tell.',
    ({ connection }) => presentRateLimit(connection),
  ),
  problems: field(
    arrayOf(text),
    'Problems, each a sentence that says what to do; empty if there are none.',
    ({ problems }) => problems,
  ),
});

export const presentConnectionCheck = (_context: Context, check: ConnectionCheck): Promise<JsonObject> =>
  connectionCheckResource.present(check);

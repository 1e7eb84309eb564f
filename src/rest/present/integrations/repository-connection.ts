import type { Context } from '../../../request/context.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import type { ProviderConnectionRow } from '../../../entities/database.js';
import { anything, described, enumOf, mapOf, nullable, object, text, url, uuid } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';
import { Urls } from '../urls.js';
import { existing } from '../values.js';

interface Shown {
  connection: ProviderConnectionRow;
  organizationUrl: string;
}

const fields = {
  id: field(uuid, 'ID of the connection, also below `provider-connections`.', ({ connection }: Shown) => connection.id),
  type: field(enumOf('github_app', 'github_enterprise'), 'Kind of the connection.', ({ connection }: Shown) =>
    connection.provider === 'github' ? 'github_app' : connection.provider,
  ),
  display_name: field(
    text,
    'Name for people: the host of the repositories.',
    ({ connection }: Shown) => connection.host,
  ),
  url: field(
    url,
    'API URL of the connection.',
    ({ connection, organizationUrl }: Shown) => `${organizationUrl}/repository_connections/${connection.id}`,
  ),
};

export const repositoryConnectionResource = resource<Shown>(fields);

export const repositoryConnectionWithHostResource = resource<Shown>({
  ...fields,
  service_account: field(
    nullable(mapOf(anything)),
    'Account that the connection acts for: always null, the token of a connection is not asked for its owner.',
    () => null,
  ),
  host: field(
    object({
      type: described(enumOf('github', 'github_enterprise'), 'Source provider.'),
      url: described(url, 'URL of the host.'),
    }),
    'Host of the repositories.',
    ({ connection: { provider, host } }) => ({ type: provider, url: `https://${host}` }),
  ),
  rate_limit: field(
    nullable(mapOf(anything)),
    'Rate limit of the source provider: always null, as it is not recorded.',
    () => null,
  ),
});

async function shown(context: Context, connection: ProviderConnectionRow): Promise<Shown> {
  const organization = existing(await context.load.organization.load(connection.organizationId), 'an organization');
  return { connection, organizationUrl: Urls.of(context).organization(organization).api };
}

export const presentRepositoryConnection = async (
  context: Context,
  connection: ProviderConnectionRow,
): Promise<JsonObject> => repositoryConnectionResource.present(await shown(context, connection));

export const presentRepositoryConnectionWithHost = async (
  context: Context,
  connection: ProviderConnectionRow,
): Promise<JsonObject> => repositoryConnectionWithHostResource.present(await shown(context, connection));

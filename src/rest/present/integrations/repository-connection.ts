import type { Context } from '../../../request/context.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import type { ProviderConnectionRow } from '../../../entities/database.js';
import { connectionProviders } from '../../../domain/integrations/provider-connection.js';
import type { ProviderRepository } from '../../../services/source-providers.js';
import { described, enumOf, nullable, object, text, url, uuid } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';
import { Urls } from '../urls.js';
import { existing } from '../values.js';
import { presentRateLimit, rateLimit } from './provider-connection.js';

interface Shown {
  connection: ProviderConnectionRow;
  organizationUrl: string;
}

const connectionTypes = connectionProviders.filter((provider) => provider !== 'github');
const hostTypes = connectionProviders.filter((provider) => provider !== 'github_app');

const fields = {
  id: field(uuid, 'ID of the connection, also below `provider-connections`.', ({ connection }: Shown) => connection.id),
  type: field(enumOf(...connectionTypes), 'Kind of the connection.', ({ connection }: Shown) =>
    connection.provider === 'github' ? 'github_app' : connection.provider,
  ),
  display_name: field(
    text,
    'Name for people: the host of the repositories unless it has another.',
    ({ connection }: Shown) => connection.name ?? connection.host,
  ),
  url: field(
    url,
    'API URL of the connection.',
    ({ connection, organizationUrl }: Shown) => `${organizationUrl}/repository_connections/${connection.id}`,
  ),
};

const githubAt = (host: string) => (host === 'github.com' ? 'github' : 'github_enterprise');

export const repositoryConnectionResource = resource<Shown>(fields);

export const repositoryConnectionWithHostResource = resource<Shown>({
  ...fields,
  service_account: field(
    nullable(object({ name: described(text, 'Name of the account.') })),
    'Account that the connection acts for, as of its last check; null before.',
    ({ connection: { account } }) => (account === null ? null : { name: account }),
  ),
  host: field(
    object({
      type: described(enumOf(...hostTypes), 'Source provider.'),
      url: described(url, 'URL of the host.'),
    }),
    'Host of the repositories.',
    ({ connection: { provider, host } }) => ({
      type: provider === 'github_app' ? githubAt(host) : provider,
      url: `https://${host}`,
    }),
  ),
  rate_limit: field(
    nullable(rateLimit),
    'Requests that the provider allows, as it last told; null if it never did.',
    ({ connection }) => presentRateLimit(connection),
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

/** A repository that a connection reaches. */
export const providerRepositoryResource = resource<ProviderRepository>({
  full_name: field(text, 'Path of the repository, such as `owner/name`.', ({ fullName }) => fullName),
  html_url: field(url, 'URL of the page of the repository.', ({ htmlUrl }) => htmlUrl),
  clone_url: field(url, 'URL that git clones.', ({ cloneUrl }) => cloneUrl),
  default_branch: field(
    nullable(text),
    'Default branch; null for an empty repository, and where the provider does not tell it in lists.',
    ({ defaultBranch }) => defaultBranch,
  ),
});

export const presentProviderRepository = (_context: Context, repository: ProviderRepository): Promise<JsonObject> =>
  providerRepositoryResource.present(repository);

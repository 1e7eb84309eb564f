import { seal, unsealOwn } from '../../auth/sealed.js';
import type { Services } from '../../services/services.js';
import type { ProviderAccess, SourceProvider } from '../../services/source-providers.js';
import { connectionHost, preferredConnection, repositoryPath } from '../../domain/integrations/provider-connection.js';
import { parseRepositoryUrl } from '../../domain/pipelines/repository-url.js';
import type { Db, PipelineRow, ProviderConnectionRow } from '../../entities/database.js';

const purpose = 'provider-token';

/** Encrypted token of a connection, or private key of its App. */
export const sealToken = ({ secretKey }: Pick<Services, 'secretKey'>, token: string) => seal(secretKey, purpose, token);

/** A connection with its decrypted credential. */
export function accessOf(
  { secretKey }: Pick<Services, 'secretKey'>,
  { id, provider, apiUrl, appId, username, token }: ProviderConnectionRow,
): ProviderAccess {
  const secret = unsealOwn(secretKey, purpose, token);
  return {
    connectionId: id,
    provider,
    apiUrl,
    credential:
      appId === null ? { kind: 'token', token: secret, username } : { kind: 'app', appId, privateKey: secret },
  };
}

/** The source provider of a connection. */
export const openConnection = (
  services: Pick<Services, 'secretKey' | 'providers'>,
  connection: ProviderConnectionRow,
): SourceProvider => services.providers.open(accessOf(services, connection));

/**
 * Returns the organization's connection to the host of a pipeline's repository, whatever kind of host its name looks
 * like; null if there is none.
 */
export async function connectionOf(
  db: Db,
  pipeline: Pick<PipelineRow, 'organizationId' | 'repository'>,
): Promise<ProviderConnectionRow | null> {
  const host = parseRepositoryUrl(pipeline.repository)?.host ?? null;
  if (host === null) return null;
  const rows = await db
    .selectFrom('provider_connections')
    .selectAll()
    .where('organizationId', '=', pipeline.organizationId)
    .where('host', '=', connectionHost(host))
    .execute();
  return preferredConnection(rows);
}

/** Path of a pipeline's repository at the host of a connection. */
export const repositoryAt = (
  connection: Pick<ProviderConnectionRow, 'provider' | 'apiUrl'>,
  { repository }: Pick<PipelineRow, 'repository'>,
): string => repositoryPath(connection, parseRepositoryUrl(repository)?.path ?? repository);

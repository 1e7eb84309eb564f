import { seal, unsealOwn } from '../../auth/sealed.js';
import type { ProviderAccess, Services } from '../../services/services.js';
import { isConnectionProvider } from '../../domain/integrations/provider-connection.js';
import { parseRepositoryUrl } from '../../domain/pipelines/repository-url.js';
import type { Db, PipelineRow, ProviderConnectionRow } from '../../entities/database.js';

const purpose = 'provider-token';

/** Encrypted token of a connection. */
export const sealToken = ({ secretKey }: Pick<Services, 'secretKey'>, token: string) => seal(secretKey, purpose, token);

/** A connection with its decrypted token. */
export const accessOf = (
  { secretKey }: Pick<Services, 'secretKey'>,
  connection: ProviderConnectionRow,
): ProviderAccess => ({
  apiUrl: connection.apiUrl,
  token: unsealOwn(secretKey, purpose, connection.token),
});

/** Names that the host of a hosted provider has beside its own. */
const hostNames: Readonly<Record<string, string>> = { 'www.github.com': 'github.com', 'ssh.github.com': 'github.com' };

/** Returns the organization's connection to the host of a pipeline's repository; null if there is none. */
export async function connectionOf(
  db: Db,
  pipeline: Pick<PipelineRow, 'organizationId' | 'providerId' | 'repository'>,
): Promise<ProviderConnectionRow | null> {
  const host = parseRepositoryUrl(pipeline.repository)?.host ?? null;
  if (host === null || !isConnectionProvider(pipeline.providerId)) return null;
  const row = await db
    .selectFrom('provider_connections')
    .selectAll()
    .where('organizationId', '=', pipeline.organizationId)
    .where('provider', '=', pipeline.providerId)
    .where('host', '=', hostNames[host] ?? host)
    .executeTakeFirst();
  return row ?? null;
}

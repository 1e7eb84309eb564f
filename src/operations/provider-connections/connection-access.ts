import { seal, unsealOwn } from '../../auth/sealed.js';
import type { ProviderAccess, Services } from '../../context.js';
import { isConnectionProvider } from '../../domain/provider-connection.js';
import { parseRepositoryUrl } from '../../domain/repository-url.js';
import type { Db, PipelineRow, ProviderConnectionRow } from '../../entities/database.js';

const purpose = 'provider-token';

/** A connection's token as it lies in the database. */
export const sealToken = ({ secretKey }: Pick<Services, 'secretKey'>, token: string) => seal(secretKey, purpose, token);

/** A connection, ready to be used at its provider. */
export const accessOf = ({ secretKey }: Pick<Services, 'secretKey'>, connection: ProviderConnectionRow): ProviderAccess => ({
  apiUrl: connection.apiUrl,
  token: unsealOwn(secretKey, purpose, connection.token),
});

/** Names that the host of a hosted provider has beside its own. */
const hostNames: Readonly<Record<string, string>> = { 'www.github.com': 'github.com', 'ssh.github.com': 'github.com' };

/** The connection of the organization that a pipeline's repository is reached through, null where there is none. */
export async function connectionOf(db: Db, pipeline: Pick<PipelineRow, 'organizationId' | 'providerId' | 'repository'>): Promise<ProviderConnectionRow | null> {
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

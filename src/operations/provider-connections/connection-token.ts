import { seal, unseal } from '../../auth/sealed.js';
import type { Context, ProviderAccess } from '../../context.js';
import { isConnectionProvider } from '../../domain/provider-connection.js';
import { parseRepositoryUrl } from '../../domain/repository-url.js';
import type { PipelineRow, ProviderConnectionRow } from '../../entities/database.js';

const purpose = 'provider-token';

/** A connection's token as it lies in the database. */
export const sealToken = (context: Context, token: string) => seal(context.services.secretKey, purpose, token);

/** A connection, ready to be used at its provider. */
export function accessOf(context: Context, connection: ProviderConnectionRow): ProviderAccess {
  const token = unseal(context.services.secretKey, purpose, connection.token);
  if (token === null) throw new Error('the token of the provider connection was encrypted with another secret key');
  return { apiUrl: connection.apiUrl, token };
}

/** Names that the host of a hosted provider has beside its own. */
const hostNames: Readonly<Record<string, string>> = { 'www.github.com': 'github.com', 'ssh.github.com': 'github.com' };

/** The connection of the organization that a pipeline's repository is reached through, null where there is none. */
export async function connectionOf(context: Context, pipeline: Pick<PipelineRow, 'organizationId' | 'providerId' | 'repository'>): Promise<ProviderConnectionRow | null> {
  const host = parseRepositoryUrl(pipeline.repository)?.host ?? null;
  if (host === null || !isConnectionProvider(pipeline.providerId)) return null;
  const row = await context.db
    .selectFrom('provider_connections')
    .selectAll()
    .where('organizationId', '=', pipeline.organizationId)
    .where('provider', '=', pipeline.providerId)
    .where('host', '=', hostNames[host] ?? host)
    .executeTakeFirst();
  return row ?? null;
}

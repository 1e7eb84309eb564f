import { isConnectionProvider } from '../../domain/provider-connection.js';
import { parseRepositoryUrl } from '../../domain/repository-url.js';
import type { Db, PipelineRow, Row } from '../../entities/database.js';

/** The organization's connection to the host of a pipeline's repository, or null where it has none. */
export async function connectionOf(db: Db, { organizationId, providerId, repository }: Pick<PipelineRow, 'organizationId' | 'providerId' | 'repository'>): Promise<Row<'provider_connections'> | null> {
  const host = parseRepositoryUrl(repository)?.host ?? null;
  if (host === null || !isConnectionProvider(providerId)) return null;
  const row = await db.selectFrom('provider_connections').selectAll().where('organizationId', '=', organizationId).where('provider', '=', providerId).where('host', '=', host).executeTakeFirst();
  return row ?? null;
}

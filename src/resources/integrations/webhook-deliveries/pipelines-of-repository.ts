import { sql } from 'kysely';
import { compiled } from '../../../database/compiled.js';
import { connectionHost, repositoryPath } from '../../../domain/integrations/provider-connection.js';
import { parseRepositoryUrl } from '../../../domain/pipelines/repository-url.js';
import type { Db, ProviderConnectionRow } from '../../../entities/database.js';

interface PipelineOfRepository {
  id: string;
  slug: string;
  repository: string;
}

/** By the last part of the repository's path, which has an index; the rest of the URL is compared by `parts`. */
const pipelinesByName = compiled<{ organizationId: string; name: string }, PipelineOfRepository>(
  'pipelines-by-repository-name',
  (_db, { organizationId, name }) => sql`
    select p.id, p.slug, p.repository from pipelines p
    where p.organization_id = ${organizationId}
      and lower(regexp_replace(regexp_replace(p.repository, '(\\.git)?/*$', ''), '^.*[/:]', '')) = lower(${name})
      and p.archived_at is null
      and not exists (select 1 from pipeline_webhooks w where w.pipeline_id = p.id and w.external_id is not null)
    order by p.id`,
);

/**
 * Returns the pipelines of an organization that a delivery about `repository` (`owner/name`) of a connection's host is
 * for. Leaves out archived ones, and those that have a webhook of their own at the provider: they get the same event at
 * their own URL, and would be built twice.
 */
export async function pipelinesOfRepository(
  db: Db,
  connection: Pick<ProviderConnectionRow, 'organizationId' | 'provider' | 'apiUrl' | 'host'>,
  repository: string,
): Promise<PipelineOfRepository[]> {
  const name = repository.split('/').pop() ?? '';
  const candidates = await pipelinesByName(db, { organizationId: connection.organizationId, name });
  return candidates.filter((pipeline) => {
    const url = parseRepositoryUrl(pipeline.repository);
    return (
      url?.host != null &&
      connectionHost(url.host) === connection.host &&
      repositoryPath(connection, url.path).toLowerCase() === repository.toLowerCase()
    );
  });
}

import type { Context } from '../../../request/context.js';
import { invalidField } from '../../../domain/problem.js';
import type { ServiceScope } from '../../../entities/integrations/notification-service.js';

const tables = { some_projects: 'pipelines', some_teams: 'teams', some_clusters: 'clusters' } as const;
const words = { some_projects: 'pipeline', some_teams: 'team', some_clusters: 'cluster' } as const;

/**
 * Ids that a service is restricted to, checked to belong to the organization and to be of the scope's kind; none for
 * `all`.
 */
export async function checkedScope(
  context: Context,
  organizationId: string,
  scope: ServiceScope,
  ids: readonly string[],
): Promise<string[]> {
  if (scope === 'all') return [];
  const wantedIds = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (wantedIds.length === 0) throw invalidField('scopeUuids', `must name at least one ${words[scope]}`);
  const known = await context.db
    .selectFrom(tables[scope])
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('id', 'in', wantedIds)
    .execute();
  const missing = wantedIds.find((id) => !known.some((row) => row.id === id));
  if (missing) throw invalidField('scopeUuids', `${missing} is not a ${words[scope]} of the organization`);
  return wantedIds;
}

import type { Context } from '../../context.js';
import { invalidField } from '../../domain/problem.js';
import type { ServiceScope } from '../../entities/notification-service.js';

const tables = { some_projects: 'pipelines', some_teams: 'teams', some_clusters: 'clusters' } as const;
const words = { some_projects: 'pipeline', some_teams: 'team', some_clusters: 'cluster' } as const;

/** The ids a service is confined to, checked to be of the organization and of the kind its scope says; none for `all`. */
export async function checkedScope(context: Context, organizationId: string, scope: ServiceScope, ids: readonly string[]): Promise<string[]> {
  if (scope === 'all') return [];
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (wanted.length === 0) throw invalidField('scopeUuids', `must name at least one ${words[scope]}`);
  const known = await context.db.selectFrom(tables[scope]).select('id').where('organizationId', '=', organizationId).where('id', 'in', wanted).execute();
  const missing = wanted.find((id) => !known.some((row) => row.id === id));
  if (missing) throw invalidField('scopeUuids', `${missing} is not a ${words[scope]} of the organization`);
  return wanted;
}

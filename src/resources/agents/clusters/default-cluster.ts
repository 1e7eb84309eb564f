import { invalidField } from '../../../domain/problem.js';
import type { OrganizationRow } from '../../../entities/database.js';

/** The address of an organization's default cluster; throws `invalid` for `field` if it has none. */
export function defaultClusterOf({ defaultClusterId }: OrganizationRow, field: string): { id: string } {
  if (defaultClusterId === null)
    throw invalidField(field, 'has no default cluster, so the request must name the cluster');
  return { id: defaultClusterId };
}

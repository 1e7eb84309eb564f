import { standing } from '../auth/authorize.js';
import type { Context } from '../request/context.js';
import type { OrganizationRow } from '../entities/database.js';

/**
 * Returns the organization of a row; null if its members' resources are hidden from the caller or the address names
 * another organization.
 */
export async function organizationOf(
  context: Context,
  row: { organizationId: string } | null | undefined,
  slug?: string,
): Promise<OrganizationRow | null> {
  if (!row) return null;
  const role = standing(context.actor, row.organizationId);
  if (role === null || role === 'visitor') return null;
  const organization = await context.load.organization.load(row.organizationId);
  return organization && (slug === undefined || organization.slug === slug) ? organization : null;
}

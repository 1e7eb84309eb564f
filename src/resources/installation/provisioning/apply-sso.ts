import type { Context } from '../../../request/context.js';
import type { Ledger } from './ledger.js';
import type { PlannedSso } from './plan.js';
import type { Within } from './within.js';

/**
 * Sets which domains may join an organization by single sign-on. The list is one value of the organization: domains
 * that it no longer names may no longer join.
 */
export async function applySso(
  context: Context,
  ledger: Ledger,
  { organizationId, slug }: Within,
  sso: PlannedSso | undefined,
): Promise<void> {
  if (sso === undefined) return;
  const rows = await context.db
    .selectFrom('sso_domains')
    .select(['domain', 'role'])
    .where('organizationId', '=', organizationId)
    .execute();
  const domains = [...new Set(sso.domains)];
  const unchanged =
    rows.length === domains.length && rows.every(({ domain, role }) => domains.includes(domain) && role === sso.role);
  if (unchanged) return;
  await context.db.deleteFrom('sso_domains').where('organizationId', '=', organizationId).execute();
  if (domains.length > 0) {
    await context.db
      .insertInto('sso_domains')
      .values(domains.map((domain) => ({ organizationId, domain, role: sso.role })))
      .execute();
  }
  ledger.note({
    action: 'updated',
    kind: 'organization',
    name: slug,
    fields: ['sso'],
    id: organizationId,
    organizationId,
  });
}

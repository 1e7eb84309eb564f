import { hashToken } from '../../../auth/secrets.js';
import type { Context } from '../../../request/context.js';
import type { Ledger } from './ledger.js';
import type { PlannedOrganization } from './plan.js';
import { reconcile } from './reconcile.js';
import type { Within } from './within.js';

/** Applies the planned test suites of an organization; only the hash of an upload token is stored. */
export async function applySuites(
  context: Context,
  ledger: Ledger,
  { organizationId, slug, path }: Within,
  suites: PlannedOrganization['suites'],
): Promise<void> {
  for (const [index, suite] of suites.entries()) {
    const at = `${path}.suites.${index}`;
    const tokenHash = hashToken(suite.token);
    const existing = await context.db
      .selectFrom('suites')
      .selectAll()
      .where('organizationId', '=', organizationId)
      .where('slug', '=', suite.slug)
      .executeTakeFirst();
    const holder = await context.db
      .selectFrom('suites')
      .select('id')
      .where('tokenHash', '=', tokenHash)
      .executeTakeFirst();
    if (holder && holder.id !== existing?.id) {
      ledger.refuse(`${at}.token`, 'token is in use for something else: every token is good for one thing');
      continue;
    }
    await reconcile(context, ledger, {
      table: 'suites',
      kind: 'suite',
      name: `${slug}/${suite.slug}`,
      path: at,
      id: suite.id,
      organizationId,
      existing,
      identity: { organizationId, slug: suite.slug },
      values: { name: suite.name, defaultBranch: suite.defaultBranch, tokenHash },
      called: { tokenHash: 'token' },
    });
  }
}

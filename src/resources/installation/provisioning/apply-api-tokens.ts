import { hashToken } from '../../../auth/secrets.js';
import type { Context } from '../../../request/context.js';
import { applyToken } from './apply-token.js';
import { requireUser } from './apply-users.js';
import type { Ledger } from './ledger.js';
import type { PlannedApiToken } from './plan.js';

/** Applies the planned API tokens, with their organizations. */
export async function applyApiTokens(context: Context, ledger: Ledger, tokens: PlannedApiToken[]): Promise<void> {
  for (const [index, planned] of tokens.entries()) {
    const path = `apiTokens.${index}`;
    const userId = await requireUser(context, ledger, planned.user, `${path}.user`);
    const organizationIds = await requireOrganizations(context, ledger, planned.organizations, path);
    if (!userId || !organizationIds) continue;
    const { description, scopes, expiresAt, token } = planned;
    const rows = await context.db
      .selectFrom('api_tokens')
      .selectAll()
      .where('userId', '=', userId)
      .where('description', '=', description)
      .orderBy('id')
      .execute();
    const holder = await context.db
      .selectFrom('api_tokens')
      .selectAll()
      .where('tokenHash', '=', hashToken(token))
      .executeTakeFirst();
    const name = `${planned.user}/${description}`;
    const id = await applyToken(context, ledger, {
      table: 'api_tokens',
      kind: 'API token',
      name,
      path,
      organizationId: null,
      token,
      rows,
      holder,
      owned: holder?.userId === userId,
      identity: { userId },
      values: { description, scopes, allOrganizations: planned.organizations === 'all', expiresAt },
      called: { allOrganizations: 'organizations' },
    });
    if (!id) continue;
    // A different token starts without revocations: organizations revoked the access of the previous one.
    if (!holder) await context.db.deleteFrom('api_token_revocations').where('apiTokenId', '=', id).execute();
    if (await setOrganizations(context, id, organizationIds)) {
      ledger.note({ action: 'updated', kind: 'API token', name, fields: ['organizations'], id, organizationId: null });
    }
  }
}

async function requireOrganizations(
  context: Context,
  ledger: Ledger,
  slugs: 'all' | string[],
  path: string,
): Promise<string[] | null> {
  if (slugs === 'all') return [];
  const organizations = await context.db
    .selectFrom('organizations')
    .select(['id', 'slug'])
    .where('slug', 'in', slugs)
    .execute();
  const missing = [...slugs.entries()].filter(([, slug]) => !organizations.some((row) => row.slug === slug));
  for (const [index, slug] of missing)
    ledger.refuse(`${path}.organizations.${index}`, `there is no organization ${slug}, here or in the database`);
  return missing.length > 0 ? null : organizations.map(({ id }) => id);
}

async function setOrganizations(context: Context, apiTokenId: string, expected: string[]): Promise<boolean> {
  const tokens = (
    await context.db
      .selectFrom('api_token_organizations')
      .select('organizationId')
      .where('apiTokenId', '=', apiTokenId)
      .execute()
  ).map((row) => row.organizationId);
  if (tokens.length === expected.length && expected.every((id) => tokens.includes(id))) return false;
  await context.db.deleteFrom('api_token_organizations').where('apiTokenId', '=', apiTokenId).execute();
  for (const organizationId of expected)
    await context.db.insertInto('api_token_organizations').values({ apiTokenId, organizationId }).execute();
  return true;
}

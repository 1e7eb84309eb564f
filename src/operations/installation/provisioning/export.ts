import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { exportOrganization } from '../../../resources/installation/provisioning/export-organization.js';
import { type Exported, secretNamed } from '../../../resources/installation/provisioning/exported.js';
import { scopes as everyScope } from '../../../domain/organizations/scopes.js';

/**
 * Rows of the database as a provisioning plan. Tokens and secrets are names of variables; passwords are left out.
 */
export const exportPlan = defineOperation({
  name: 'provisioning.export',
  summary: 'Returns what is there as a provisioning plan.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: z.object({ organizations: z.array(z.string()).optional() }),
  subject: async () => ({}),
  run: async (context, { organizations: slugs }): Promise<Exported> => {
    const { db } = context;
    const all = await db.selectFrom('organizations').selectAll().orderBy('slug').execute();
    const organizations = slugs ? all.filter(({ slug }) => slugs.includes(slug)) : all;
    const exported: Exported[] = [];
    for (const organization of organizations) exported.push(await exportOrganization(context, organization));
    const ids = organizations.map(({ id }) => id);
    const users = await db
      .selectFrom('users as u')
      .select(['u.id', 'u.email', 'u.name'])
      .$if(slugs !== undefined, (query) =>
        query.where((eb) =>
          eb.exists(
            eb
              .selectFrom('organization_members as m')
              .select('m.id')
              .whereRef('m.userId', '=', 'u.id')
              .where('m.organizationId', 'in', ids),
          ),
        ),
      )
      .orderBy('u.email')
      .execute();
    return {
      users: users.map(({ email, name, id }) => ({ email, name, id })),
      organizations: exported,
      apiTokens: slugs ? [] : await exportTokens(context),
    };
  },
});

/** API tokens that are in use; of several of one user with the same description, the oldest. */
async function exportTokens({ db, now }: Parameters<typeof exportPlan.run>[0]): Promise<Exported[]> {
  const tokens = await db
    .selectFrom('api_tokens as t')
    .innerJoin('users as u', 'u.id', 't.userId')
    .select(['t.id', 'u.email as user', 't.description', 't.scopes', 't.allOrganizations', 't.expiresAt'])
    .where('t.revokedAt', 'is', null)
    .where((eb) => eb.or([eb('t.expiresAt', 'is', null), eb('t.expiresAt', '>', now)]))
    .orderBy('u.email')
    .orderBy('t.id')
    .execute();
  const access = await db
    .selectFrom('api_token_organizations as a')
    .innerJoin('organizations as o', 'o.id', 'a.organizationId')
    .select(['a.apiTokenId', 'o.slug'])
    .orderBy('o.slug')
    .execute();
  const identities = tokens.map(({ user, description }) => JSON.stringify([user, description]));
  return tokens
    .filter((_, index) => identities.indexOf(identities[index] ?? '') === index)
    .map(({ id, user, description, scopes, allOrganizations, expiresAt }) => ({
      user,
      description,
      token: secretNamed('TOKEN', user, description),
      scopes: everyScope.every((scope) => scopes.includes(scope)) ? 'all' : scopes,
      organizations: allOrganizations
        ? 'all'
        : access.filter(({ apiTokenId }) => apiTokenId === id).map(({ slug }) => slug),
      expiresAt: expiresAt?.toISOString(),
    }))
    .filter(({ organizations }) => organizations.length > 0);
}

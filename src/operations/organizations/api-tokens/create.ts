import { z } from 'zod';
import { hashToken, newToken, tokenPrefixes } from '../../../auth/secrets.js';
import type { Context } from '../../../request/context.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalid } from '../../../domain/problem.js';
import { canonicalScope, heldScopes } from '../../../domain/organizations/scopes.js';
import type { ApiTokenRow } from '../../../entities/database.js';
import { findAccount } from '../../../resources/organizations/users/account.js';
import { defineOperation } from '../../../core/operation.js';

const input = z.object({
  userEmail: z.string().min(1).max(limits.personLength),
  description: z.string().trim().min(1).max(limits.descriptionLength),
  scopes: z
    .array(z.string().refine((word) => canonicalScope(word) !== null, 'names a scope that no token can have'))
    .min(1)
    .transform(heldScopes),
  /** Slugs, or `all`: every organization the user is a member of, later ones too. */
  organizations: z.union([z.literal('all'), z.array(z.string().max(limits.slugLength)).min(1)]),
  expiresAt: z.date().nullable().default(null),
});

export interface CreatedToken {
  /** The token's value, returned by this operation only. */
  token: string;
  row: ApiTokenRow;
}

/** Creates an API token for a user. Throws `invalid`, naming each, for an unknown user or unknown organizations. */
export const createApiToken = defineOperation({
  name: 'access-token.create',
  summary: 'Creates an API token for a user.',
  kind: 'command',
  scope: null,
  access: 'internal',
  refusal: 'sentence',
  input,
  subject: async () => ({}),
  run: async (context, request): Promise<CreatedToken> => {
    const user = await findAccount(context, request.userEmail);
    const organizations =
      request.organizations === 'all' ? [] : await findOrganizations(context, request.organizations);
    const unknown =
      request.organizations === 'all'
        ? []
        : request.organizations.filter((slug) => !organizations.some((rows) => rows.slug === slug));
    const problems = unknown.map((slug) => ({ field: 'organizations', code: `there is no organization ${slug}` }));
    if (!user) problems.unshift({ field: 'user', code: `there is no user ${request.userEmail}` });
    if (!user || problems.length > 0) throw invalid(problems);
    const token = newToken(tokenPrefixes.api, 20);
    const row = await context.db
      .insertInto('api_tokens')
      .values({
        id: context.newId(),
        userId: user.id,
        description: request.description,
        tokenHash: hashToken(token),
        scopes: request.scopes,
        allOrganizations: request.organizations === 'all',
        expiresAt: request.expiresAt,
        createdAt: context.now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    for (const { id } of organizations) {
      await context.db
        .insertInto('api_token_organizations')
        .values({ apiTokenId: row.id, organizationId: id })
        .execute();
    }
    return { token, row };
  },
});

async function findOrganizations(context: Context, slugs: string[]): Promise<{ id: string; slug: string }[]> {
  return context.db.selectFrom('organizations').select(['id', 'slug']).where('slug', 'in', slugs).execute();
}

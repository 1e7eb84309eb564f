import { z } from 'zod';
import { newToken, tokenPrefixes } from '../../../auth/secrets.js';
import { idFromEither } from '../../../domain/node-id.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField } from '../../../domain/problem.js';
import { scopes } from '../../../domain/organizations/scopes.js';
import type { UserRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { grantableOrganizations } from '../../../resources/organizations/api-tokens/grantable-organizations.js';
import { hasMostTokens, insertToken } from '../../../resources/organizations/api-tokens/insert-token.js';
import type { AccessToken } from '../../../resources/organizations/api-tokens/own-token.js';
import { findSignedIn, type SignedInSubject } from '../../../resources/organizations/sessions/own-session.js';

const input = z.object({
  description: z.string().trim().min(1, 'must not be empty').max(limits.descriptionLength),
  scopes: z
    .array(z.enum(scopes, 'names a scope that no token can have'))
    .min(1, 'must name at least one scope')
    .max(scopes.length),
  /** UUIDs or node ids; null: every organization the user is a member of, later ones too. */
  organizations: z
    .array(z.string().max(300))
    .min(1, 'must name at least one organization')
    .max(limits.apiTokenOrganizations, `must be at most ${limits.apiTokenOrganizations} organizations`)
    .nullable(),
  expiresAt: z.date().nullable().default(null),
});

export interface OwnToken {
  token: AccessToken;
  user: UserRow;
  /** The token's value, returned by this operation only. */
  value: string;
}

/**
 * Creates an API token of the person who is signed in, for organizations of theirs. Throws `invalid` for organizations
 * that they are no member of, or only in sessions by single sign-on, for a time of expiry that is over, and above the
 * limit of tokens.
 */
export const createOwnToken = defineOperation({
  name: 'access-token.create-own',
  summary: 'Creates an API token of the caller.',
  kind: 'command',
  scope: null,
  access: 'authenticated',
  input,
  subject: (context) => findSignedIn(context),
  run: async (context, request, { user }: SignedInSubject): Promise<OwnToken> => {
    if (request.expiresAt !== null && request.expiresAt <= context.now)
      throw invalidField('expiresAt', 'is in the past');
    const ids = [...new Set((request.organizations ?? []).map((id) => idFromEither(id, ['Organization'])))];
    const organizationIds = await grantableOrganizations(context, request.organizations === null ? null : ids);
    if (await hasMostTokens(context, user.id))
      throw invalidField('description', `cannot be added: a user has at most ${limits.apiTokensPerUser} API tokens`);
    const value = newToken(tokenPrefixes.api, 20);
    const token = await insertToken(context, { ...request, userId: user.id, value, organizationIds });
    return { token, user, value };
  },
});

import { hashToken } from '../../../auth/secrets.js';
import { limits } from '../../../domain/limits/limits.js';
import type { Context } from '../../../request/context.js';
import { type AccessToken, tokenColumns } from './own-token.js';
import { tokensOfUser } from './tokens-of-user.js';

export interface NewToken {
  userId: string;
  description: string;
  /** The secret; its hash is stored. */
  value: string;
  scopes: readonly string[];
  /** Null: every organization of the user, later ones too. */
  organizationIds: readonly string[] | null;
  expiresAt: Date | null;
}

/** Whether a user has as many valid API tokens as one may have. */
export async function hasMostTokens(context: Context, userId: string): Promise<boolean> {
  const { count } = await tokensOfUser(context, userId)
    .clearSelect()
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count) >= limits.apiTokensPerUser;
}

/** Stores an API token with the organizations that it names. */
export async function insertToken(context: Context, token: NewToken): Promise<AccessToken> {
  const { userId, description, value, scopes, organizationIds, expiresAt } = token;
  const row = await context.db
    .insertInto('api_tokens')
    .values({
      id: context.newId(),
      userId,
      description,
      tokenHash: hashToken(value),
      scopes: [...new Set(scopes)],
      allOrganizations: organizationIds === null,
      expiresAt,
      createdAt: context.now,
    })
    .returning(tokenColumns)
    .executeTakeFirstOrThrow();
  for (const organizationId of organizationIds ?? [])
    await context.db.insertInto('api_token_organizations').values({ apiTokenId: row.id, organizationId }).execute();
  return row;
}

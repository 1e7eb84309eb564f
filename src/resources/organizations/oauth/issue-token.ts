import { newToken, tokenPrefixes } from '../../../auth/secrets.js';
import { recordProvenAudit } from '../../../core/audit.js';
import { limits } from '../../../domain/limits/limits.js';
import { scopesAmong } from '../../../domain/organizations/scopes.js';
import type { Row } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';
import { hasMostTokens, insertToken } from '../api-tokens/insert-token.js';

export type GrantRow = Row<'oauth_grants'>;

/** What OAuth calls the reason of a refusal (RFC 6749, section 5.2; RFC 8628, section 3.5). */
export type TokenRefusal =
  'invalid_grant' | 'invalid_target' | 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token';

/** What a program gets for its code: a token, or the reason why not. */
export type Exchange =
  { token: string; scopes: readonly string[]; seconds: number } | { refused: TokenRefusal; description: string };

export const refuse = (refused: TokenRefusal, description: string): Exchange => ({ refused, description });

const dayInSeconds = 86_400;

/**
 * Gives a program the token that somebody has granted it: an API token of theirs like those that they make themselves,
 * with an end. The grant is used up with it.
 */
export async function issueToken(context: Context, grant: GrantRow): Promise<Exchange> {
  const user = grant.userId === null ? undefined : await context.load.user.load(grant.userId);
  if (!user) return refuse('access_denied', 'The account that granted access is gone');
  if (await hasMostTokens(context, user.id))
    return refuse('access_denied', `A user has at most ${limits.apiTokensPerUser} API tokens`);
  const value = newToken(tokenPrefixes.oauth, 20);
  const seconds = limits.oauthTokenDays * dayInSeconds;
  const token = await insertToken(context, {
    userId: user.id,
    description: `${grant.clientName} (OAuth)`,
    value,
    scopes: grant.scopes,
    organizationIds: grant.organizations,
    expiresAt: new Date(context.now.getTime() + seconds * 1000),
  });
  await context.db.updateTable('oauth_grants').set({ apiTokenId: token.id }).where('id', '=', grant.id).execute();
  recordProvenAudit(context, {
    organizationId: null,
    operation: 'oauth-grant.exchange',
    userId: user.id,
    subject: { noun: 'token', id: token.id, name: token.description },
  });
  return { token: value, scopes: scopesAmong(token.scopes), seconds };
}

import type { Context } from '../../context.js';
import type { ApiTokenRow, UserRow } from '../../entities/database.js';
import type { Subject } from '../subject.js';

/** An API token without what is kept of its value. */
export type AccessToken = Omit<ApiTokenRow, 'tokenHash'>;

export interface TokenSubject extends Subject {
  token: AccessToken;
  user: UserRow;
}

/** The token the caller presented, with its user; null for callers without one. `lock`: under its row lock. */
export async function findOwnToken(context: Context, { lock = false } = {}): Promise<TokenSubject | null> {
  const { actor } = context;
  if (actor.kind !== 'user') return null;
  let query = context.db
    .selectFrom('api_tokens')
    .select(['id', 'userId', 'description', 'scopes', 'allOrganizations', 'expiresAt', 'revokedAt', 'createdAt'])
    .where('id', '=', actor.apiTokenId);
  if (lock) query = query.forUpdate();
  const token = await query.executeTakeFirst();
  const user = await context.load.user.load(actor.userId);
  return token && user ? { token, user } : null;
}

import type { Context } from '../../../request/context.js';
import type { ApiTokenRow, UserRow } from '../../../entities/database.js';
import type { Subject } from '../../../core/subject.js';

/** An API token without its hash. */
export type AccessToken = Omit<ApiTokenRow, 'tokenHash' | 'wroteAt'>;

export interface TokenSubject extends Subject {
  token: AccessToken;
  user: UserRow;
}

/** Columns of a token without its hash. */
export const tokenColumns = [
  'id',
  'userId',
  'description',
  'scopes',
  'allOrganizations',
  'expiresAt',
  'revokedAt',
  'lastUsedAt',
  'lastUsedIpAddress',
  'createdAt',
] as const;

/** Finds the caller's own token with its user; null for callers without one. `lock` locks its row. */
export async function findOwnToken(context: Context, { lock = false } = {}): Promise<TokenSubject | null> {
  const { actor } = context;
  if (actor.kind !== 'user' || actor.apiTokenId === null) return null;
  let query = context.db.selectFrom('api_tokens').select(tokenColumns).where('id', '=', actor.apiTokenId);
  if (lock) query = query.forUpdate();
  const token = await query.executeTakeFirst();
  const user = await context.load.user.load(actor.userId);
  return token && user ? { token, user } : null;
}

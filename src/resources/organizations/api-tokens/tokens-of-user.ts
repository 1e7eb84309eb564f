import type { Context } from '../../../request/context.js';
import { idFromEither } from '../../../domain/node-id.js';
import { findSignedIn, type SignedInSubject } from '../sessions/own-session.js';
import { type AccessToken, tokenColumns } from './own-token.js';

/** Query for the API tokens of a user, as `t`, that are neither revoked nor expired, without their hashes. */
export function tokensOfUser({ db, now }: Context, userId: string) {
  return db
    .selectFrom('api_tokens as t')
    .select(tokenColumns.map((column) => `t.${column}` as const))
    .where('t.userId', '=', userId)
    .where('t.revokedAt', 'is', null)
    .where((eb) => eb.or([eb('t.expiresAt', 'is', null), eb('t.expiresAt', '>', now)]));
}

export interface SignedInTokenSubject extends SignedInSubject {
  token: AccessToken;
}

/** Finds and locks a token of the person who is signed in, by uuid or node id; null once it is revoked. */
export async function lockTokenOfSignedIn(context: Context, id: string): Promise<SignedInTokenSubject | null> {
  const subject = await findSignedIn(context);
  const tokenId = idFromEither(id, ['APIAccessToken']);
  if (!subject || tokenId === null) return null;
  const token = await context.db
    .selectFrom('api_tokens')
    .select(tokenColumns)
    .where('id', '=', tokenId)
    .where('userId', '=', subject.user.id)
    .where('revokedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return token ? { ...subject, token } : null;
}

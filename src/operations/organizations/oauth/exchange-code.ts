import { z } from 'zod';
import { provesChallenge } from '../../../auth/proof-key.js';
import { hashToken, sameSecret } from '../../../auth/secrets.js';
import { defineOperation } from '../../../core/operation.js';
import { limits } from '../../../domain/limits/limits.js';
import type { Context } from '../../../request/context.js';
import {
  type Exchange,
  type GrantRow,
  issueToken,
  refuse,
} from '../../../resources/organizations/oauth/issue-token.js';

/**
 * Gives a program its token for the code that a browser brought. A code counts once, whatever comes of it: shown again,
 * it ends the token that it gave, because one of the two who have it has stolen it. Refusals are outcomes, so that what
 * they change stays.
 */
export const exchangeCode = defineOperation({
  name: 'oauth-grant.exchange-code',
  summary: 'Gives a program the token that it was granted by a browser.',
  kind: 'command',
  scope: null,
  access: 'internal',
  input: z.object({
    code: z.string().max(200),
    client: z.string().max(300),
    redirectUri: z.string().max(limits.oauthRedirectUriLength),
    codeVerifier: z.string().max(200),
    resource: z.string().max(limits.oauthRequestLength).nullable(),
  }),
  subject: async () => ({}),
  run: async (context, { code, client, redirectUri, codeVerifier, resource }): Promise<Exchange> => {
    const grant = await takeGrant(context, code);
    if (!grant || grant.expiresAt <= context.now) return refuse('invalid_grant', 'The code was used, or is over');
    const isOwn = sameSecret(grant.client, client) && sameSecret(grant.redirectUri ?? '', redirectUri);
    if (!isOwn || !provesChallenge(grant.codeChallenge ?? '', codeVerifier))
      return refuse('invalid_grant', 'The code was given to another program, address or verifier');
    if (resource !== null && grant.resource !== null && resource !== grant.resource)
      return refuse('invalid_target', 'Access was granted to another resource');
    return issueToken(context, grant);
  },
});

/** The grant of a code, which is used up; of two who show it one gets it. */
async function takeGrant({ db, now }: Context, code: string): Promise<GrantRow | null> {
  const secretHash = hashToken(code);
  const grant = await db
    .updateTable('oauth_grants')
    .set({ state: 'used' })
    .where('secretHash', '=', secretHash)
    .where('kind', '=', 'code')
    .where('state', '=', 'approved')
    .returningAll()
    .executeTakeFirst();
  if (grant) return grant;
  await db
    .updateTable('api_tokens')
    .set({ revokedAt: now })
    .where('revokedAt', 'is', null)
    .where('id', '=', (eb) =>
      eb
        .selectFrom('oauth_grants')
        .select('apiTokenId')
        .where('secretHash', '=', secretHash)
        .where('kind', '=', 'code')
        .$castTo<string>(),
    )
    .execute();
  return null;
}

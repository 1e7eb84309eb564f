import { z } from 'zod';
import { hashToken, sameSecret } from '../../../auth/secrets.js';
import { defineOperation } from '../../../core/operation.js';
import type { Context } from '../../../request/context.js';
import {
  type Exchange,
  type GrantRow,
  issueToken,
  refuse,
} from '../../../resources/organizations/oauth/issue-token.js';

/** What a device that asks too early waits longer from then on (RFC 8628, section 3.5). */
const slowerBySeconds = 5;

/**
 * Gives a program its token once somebody has let it in by its code, and says what is missing before. Refusals are
 * outcomes, so that what they change stays.
 */
export const exchangeDevice = defineOperation({
  name: 'oauth-grant.exchange-device',
  summary: 'Gives a program the token that it was granted by a code.',
  kind: 'command',
  scope: null,
  access: 'internal',
  input: z.object({ deviceCode: z.string().max(200), client: z.string().max(300) }),
  subject: async () => ({}),
  run: async (context, { deviceCode, client }): Promise<Exchange> => {
    const grant = await context.db
      .selectFrom('oauth_grants')
      .selectAll()
      .where('secretHash', '=', hashToken(deviceCode))
      .where('kind', '=', 'device')
      .forUpdate()
      .executeTakeFirst();
    if (!grant || grant.state === 'used' || !sameSecret(grant.client, client))
      return refuse('invalid_grant', 'The device code was used, or is none of this program');
    if (grant.expiresAt <= context.now) return refuse('expired_token', 'The device code is over');
    if (grant.state === 'denied') return refuse('access_denied', 'The person has refused access');
    if (grant.state === 'pending') return waitFor(context, grant);
    await context.db.updateTable('oauth_grants').set({ state: 'used' }).where('id', '=', grant.id).execute();
    return issueToken(context, grant);
  },
});

async function waitFor({ db, now }: Context, { id, polledAt, pollSeconds }: GrantRow): Promise<Exchange> {
  const isEarly = polledAt !== null && now.getTime() - polledAt.getTime() < pollSeconds * 1000;
  const slower = isEarly ? pollSeconds + slowerBySeconds : pollSeconds;
  await db.updateTable('oauth_grants').set({ polledAt: now, pollSeconds: slower }).where('id', '=', id).execute();
  return isEarly
    ? refuse('slow_down', `Please ask every ${slower} seconds`)
    : refuse('authorization_pending', 'Nobody has let the program in yet');
}

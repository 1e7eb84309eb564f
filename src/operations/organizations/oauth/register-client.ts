import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { limits } from '../../../domain/limits/limits.js';
import type { OauthClient } from '../../../domain/organizations/oauth/clients.js';
import { Problem } from '../../../domain/problem.js';
import { redirectUrl } from '../../../domain/organizations/oauth/redirect-uri.js';
import type { Context } from '../../../request/context.js';

const hour = 3_600_000;

const redirectUri = z
  .string()
  .max(limits.oauthRedirectUriLength)
  .refine((text) => redirectUrl(text) !== null, 'is neither https, nor of this machine, nor of an app');

/**
 * Registers a program that will ask people for access (RFC 7591). Anybody may: what it says of itself is shown as its
 * own words. Where there are as many as may be, it takes the place of the oldest that nobody let in; throws
 * `unavailable` where there is none.
 */
export const registerOauthClient = defineOperation({
  name: 'oauth-client.register',
  summary: 'Registers a program that asks people for access.',
  kind: 'command',
  scope: null,
  access: 'internal',
  input: z.object({
    name: z.string().max(limits.oauthClientNameLength).default(''),
    redirectUris: z.array(redirectUri).min(1, 'must name at least one address').max(limits.oauthRedirectUris),
  }),
  subject: async () => ({}),
  run: async (context, { name, redirectUris }): Promise<OauthClient & { createdAt: Date }> => {
    await makeRoom(context);
    const row = await context.db
      .insertInto('oauth_clients')
      .values({
        id: context.newId(),
        name: shownName(name),
        redirectUris: [...new Set(redirectUris)],
        createdAt: context.now,
        expiresAt: new Date(context.now.getTime() + limits.oauthNewClientHours * hour),
      })
      .returning(['id', 'name', 'redirectUris', 'createdAt'])
      .executeTakeFirstOrThrow();
    return { ...row, isRegistered: true };
  },
});

/** The name without what could make it look like another text around it. */
function shownName(name: string): string {
  const visible = name
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  return visible === '' ? 'A program without a name' : visible;
}

async function makeRoom({ db, now }: Context): Promise<void> {
  const { count } = await db
    .selectFrom('oauth_clients')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) < limits.oauthClients) return;
  const soon = new Date(now.getTime() + limits.oauthNewClientHours * hour);
  const { numDeletedRows } = await db
    .deleteFrom('oauth_clients')
    .where('id', '=', (eb) =>
      eb.selectFrom('oauth_clients').select('id').where('expiresAt', '<=', soon).orderBy('expiresAt').limit(1),
    )
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n)
    throw new Problem('unavailable', `At most ${limits.oauthClients} programs are registered`, { retryAfter: 3_600 });
}

import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { hashToken, newToken } from '../../../auth/secrets.js';
import { defineOperation } from '../../../core/operation.js';
import { limits } from '../../../domain/limits/limits.js';
import { userCodeLetters, userCodeOf } from '../../../domain/organizations/oauth/user-code.js';
import { scopes } from '../../../domain/organizations/scopes.js';
import { invalidField, Problem } from '../../../domain/problem.js';
import { insertGrant } from '../../../resources/organizations/oauth/grant.js';
import { findClient } from '../../../resources/organizations/oauth/client.js';

export interface DeviceCodes {
  /** What the program asks with. */
  deviceCode: string;
  /** What a person types. */
  userCode: string;
}

/**
 * Begins a sign-in at another machine (RFC 8628): somebody types the code of a program that has no browser. Throws
 * `invalid` for a program that is not known, and `unavailable` while very many wait.
 */
export const beginDevice = defineOperation({
  name: 'oauth-device.begin',
  summary: 'Gives a program a code that a person types to grant it access.',
  kind: 'command',
  scope: null,
  access: 'internal',
  input: z.object({ client: z.string().max(300), scopes: z.array(z.enum(scopes)).min(1).max(scopes.length) }),
  subject: async () => ({}),
  run: async (context, request): Promise<DeviceCodes> => {
    const client = await findClient(context, request.client);
    if (!client) throw invalidField('client', 'is not known');
    const { count } = await context.db
      .selectFrom('oauth_grants')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('expiresAt', '>', context.now)
      .executeTakeFirstOrThrow();
    if (Number(count) >= limits.oauthDevices)
      throw new Problem('unavailable', 'Very many programs wait for somebody to let them in', { retryAfter: 60 });
    const deviceCode = newToken('', 32);
    const userCode = userCodeOf(() => randomInt(userCodeLetters.length));
    await insertGrant(context, {
      kind: 'device',
      state: 'pending',
      client: client.id,
      clientName: client.name,
      secretHash: hashToken(deviceCode),
      userCodeHash: hashToken(userCode),
      scopes: request.scopes,
      pollSeconds: limits.oauthDeviceSeconds,
      expiresAt: new Date(context.now.getTime() + limits.oauthDeviceMinutes * 60_000),
    });
    return { deviceCode, userCode };
  },
});

import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { findOwnToken, type TokenSubject } from '../../../resources/organizations/api-tokens/own-token.js';

/**
 * Revokes the API token of the request from the next request on. Provisioning does not revive it. A second request in
 * flight changes nothing.
 */
export const revokeAccessToken = defineOperation({
  name: 'access-token.revoke',
  summary: 'Revokes the API token of the request.',
  kind: 'command',
  scope: null,
  access: 'authenticated',
  input: z.object({}),
  subject: (context) => findOwnToken(context, { lock: true }),
  run: async (context, _input, subject: TokenSubject): Promise<TokenSubject> => {
    const revokedAt = subject.token.revokedAt ?? context.now;
    await context.db.updateTable('api_tokens').set({ revokedAt }).where('id', '=', subject.token.id).execute();
    return { ...subject, token: { ...subject.token, revokedAt } };
  },
});

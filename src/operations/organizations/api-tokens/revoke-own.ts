import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import {
  lockTokenOfSignedIn,
  type SignedInTokenSubject,
} from '../../../resources/organizations/api-tokens/tokens-of-user.js';

/** Revokes an API token of the person who is signed in, from the next request on; `not_found` on a repeat. */
export const revokeOwnToken = defineOperation({
  name: 'access-token.revoke-own',
  summary: 'Revokes an API token of the caller.',
  kind: 'command',
  scope: null,
  access: 'authenticated',
  input: z.object({ id: z.string().max(300) }),
  subject: (context, { id }) => lockTokenOfSignedIn(context, id),
  run: async (context, _input, subject: SignedInTokenSubject): Promise<SignedInTokenSubject> => {
    const revokedAt = context.now;
    await context.db.updateTable('api_tokens').set({ revokedAt }).where('id', '=', subject.token.id).execute();
    return { ...subject, token: { ...subject.token, revokedAt } };
  },
});

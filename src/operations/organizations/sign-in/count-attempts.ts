import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { countAttempt } from '../../../resources/organizations/sessions/sign-in-brake.js';

/**
 * Counts a step of single sign-on against the caller's address. Throws `rate_limited` with `retryAfter` after too many.
 */
export const countAttempts = defineOperation({
  name: 'sign-in.count-attempts',
  summary: 'Counts an attempt to sign in without a password.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: z.object({}),
  subject: async () => ({}),
  run: async (context): Promise<null> => {
    await countAttempt(context.services, { email: null, ipAddress: context.request.ipAddress ?? null });
    return null;
  },
});

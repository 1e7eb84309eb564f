import { z } from 'zod';
import { hashToken } from '../../../auth/secrets.js';
import { Problem } from '../../../domain/problem.js';
import { defineOperation } from '../../../core/operation.js';

/**
 * Takes a one-time sign-in address; of two visits one gets it. Throws `gone` alike for unknown, used and expired ones.
 */
export const takeSignInAddress = defineOperation({
  name: 'sign-in.use-address',
  summary: 'Uses a one-time sign-in address.',
  kind: 'command',
  scope: null,
  access: 'internal',
  input: z.object({ token: z.string().max(200) }),
  subject: async () => ({}),
  run: async (context, { token }): Promise<{ userId: string }> => {
    const row = await context.db
      .deleteFrom('sign_in_addresses')
      .where('tokenHash', '=', hashToken(token))
      .returning(['userId', 'expiresAt'])
      .executeTakeFirst();
    if (!row || row.expiresAt <= context.now)
      throw new Problem('gone', 'This sign-in address was used already, or its time is over.');
    return { userId: row.userId };
  },
});

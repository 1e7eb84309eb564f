import { z } from 'zod';
import { hashToken, newToken } from '../../../auth/secrets.js';
import { limits } from '../../../domain/limits/limits.js';
import { notFound } from '../../../domain/problem.js';
import { defineOperation } from '../../../core/operation.js';
import { emailAddress, findAccount } from '../../../resources/organizations/users/account.js';

/** Begins the tokens of addresses that count in whatever browser; others count on the machine of the server alone. */
export const anywherePrefix = 'any-';

/**
 * Makes an address that signs a user in once, within five minutes. Throws `not_found` without such a user.
 */
export const createSignInAddress = defineOperation({
  name: 'sign-in.create-address',
  summary: 'Creates a one-time sign-in address for a user.',
  kind: 'command',
  scope: null,
  access: 'internal',
  input: z.object({ email: emailAddress, anywhere: z.boolean().default(false) }),
  subject: async () => ({}),
  run: async (context, { email, anywhere }): Promise<{ token: string; url: string; expiresAt: Date }> => {
    const user = await findAccount(context, email);
    if (!user) throw notFound(`There is no user ${email}`);
    const token = newToken(anywhere ? anywherePrefix : '', 32);
    const expiresAt = new Date(context.now.getTime() + limits.signInAddressMinutes * 60_000);
    await context.db
      .insertInto('sign_in_addresses')
      .values({ tokenHash: hashToken(token), userId: user.id, expiresAt })
      .execute();
    return { token, url: `${context.services.baseUrl}/login/once/${token}`, expiresAt };
  },
});

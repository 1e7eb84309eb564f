import { z } from 'zod';
import { hashNewPassword } from '../../../auth/new-password.js';
import { checkPassword } from '../../../auth/passwords.js';
import { defineOperation } from '../../../core/operation.js';
import { outsideTransaction } from '../../../database/transaction.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField, Problem } from '../../../domain/problem.js';
import type { UserRow } from '../../../entities/database.js';
import { findSignedIn, type SignedInSubject } from '../../../resources/organizations/sessions/own-session.js';
import { countAttempt, forgiveAttempt } from '../../../resources/organizations/sessions/sign-in-brake.js';
import { password } from '../../../resources/organizations/users/account.js';

const noPassword = 'This account has no password to change: it signs in with single sign-on or one-time addresses.';

/**
 * Changes the caller's own password and ends all their sessions but the one of the request. Attempts count as those to
 * sign in do, so that a session that was left open is no way to guess. Throws `invalid` for a wrong present password or
 * a new one that may not be set, `not_applicable` for an account without a password, `rate_limited`.
 */
export const changePassword = defineOperation({
  name: 'user.change-password',
  summary: 'Changes the password of the caller.',
  kind: 'command',
  scope: null,
  access: 'authenticated',
  input: z.object({ currentPassword: z.string().max(limits.passwordLength), newPassword: password }),
  subject: (context) => findSignedIn(context),
  run: async (context, input, { user, sessionId }: SignedInSubject): Promise<{ user: UserRow }> => {
    const before = user.passwordHash;
    if (before === null) throw new Problem('not_applicable', noPassword);
    const { services, request } = context;
    const attempt = { email: user.email, ipAddress: request.ipAddress ?? null };
    const passwordHash = await outsideTransaction('the change of a password', async () => {
      await countAttempt(services, attempt);
      if (!(await checkPassword(input.currentPassword, before))) throw invalidField('currentPassword', 'is not right');
      await forgiveAttempt(services, attempt);
      return hashNewPassword(input.newPassword, user.email, 'newPassword');
    });
    const changed = await context.db
      .updateTable('users')
      .set({ passwordHash })
      .where('id', '=', user.id)
      .where('passwordHash', '=', before)
      .returning('id')
      .executeTakeFirst();
    if (!changed) throw invalidField('currentPassword', 'is not right');
    await context.db.deleteFrom('sessions').where('userId', '=', user.id).where('id', '<>', sessionId).execute();
    return { user };
  },
});

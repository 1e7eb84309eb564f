import { z } from 'zod';
import { hashNewPassword } from '../../../auth/new-password.js';
import { outsideTransaction } from '../../../database/transaction.js';
import { invalid } from '../../../domain/problem.js';
import type { UserRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { emailAddress, endSessions, findAccount, password } from '../../../resources/organizations/users/account.js';

/** Sets a user's password and signs them out everywhere. Throws `invalid` for an unknown user. */
export const setUserPassword = defineOperation({
  name: 'user.set-password',
  summary: 'Sets the password of a user.',
  kind: 'command',
  scope: null,
  access: 'internal',
  input: z.object({ email: emailAddress, password }),
  subject: async () => ({}),
  run: async (context, request): Promise<{ user: UserRow }> => {
    const user = await findAccount(context, request.email);
    if (!user) throw invalid([{ field: 'email', code: `there is no user ${request.email}` }]);
    const passwordHash = await outsideTransaction('the hash of a password', () =>
      hashNewPassword(request.password, user.email),
    );
    await context.db.updateTable('users').set({ passwordHash }).where('id', '=', user.id).execute();
    await endSessions(context, user.id);
    return { user };
  },
});

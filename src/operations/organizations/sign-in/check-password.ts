import { z } from 'zod';
import { checkPassword } from '../../../auth/passwords.js';
import type { Context } from '../../../request/context.js';
import { limits } from '../../../domain/limits/limits.js';
import { countsInSession } from '../../../domain/organizations/sso-mode.js';
import { forbidden, Problem } from '../../../domain/problem.js';
import type { UserRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { findAccount } from '../../../resources/organizations/users/account.js';
import { countAttempt, forgiveAttempt } from '../../../resources/organizations/sessions/sign-in-brake.js';

/**
 * Returns the user with an email address and a password. Throws `unauthenticated` alike, and after the same time, for
 * unknown accounts, accounts without a password and wrong passwords; `forbidden` for a right password where all
 * organizations of the user require single sign-on; `rate_limited` with `retryAfter` after too many attempts;
 * `unavailable` while too many others wait. It only counts attempts, and holds no transaction while the password
 * is checked.
 */
export const checkUserPassword = defineOperation({
  name: 'sign-in.check-password',
  summary: 'Finds the user with an email address and a password.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: z.object({
    email: z.string().trim().max(limits.personLength),
    password: z.string().max(limits.passwordLength),
  }),
  subject: async () => ({}),
  run: async (context, { email, password }): Promise<UserRow> => {
    const attempt = { email, ipAddress: context.request.ipAddress ?? null };
    await countAttempt(context.services, attempt);
    const user = await findAccount(context, email);
    const right = await checkPassword(password, user?.passwordHash ?? null);
    if (!user || !right) throw new Problem('unauthenticated', 'The email address or the password is not right.');
    await forgiveAttempt(context.services, attempt);
    await refuseClosed(context, user);
    return user;
  },
});

/**
 * Throws `forbidden` where every organization of a user requires single sign-on, so that a session would reach none.
 */
async function refuseClosed({ db, services }: Context, { id }: UserRow): Promise<void> {
  const memberships = await db
    .selectFrom('organization_members as m')
    .innerJoin('organizations as o', 'o.id', 'm.organizationId')
    .select(['m.ssoMode', 'o.name'])
    .where('m.userId', '=', id)
    .orderBy('o.name')
    .execute();
  const by = { method: 'password', singleSignOn: services.singleSignOn !== undefined } as const;
  const [first] = memberships;
  if (first && !memberships.some(({ ssoMode }) => countsInSession(ssoMode, by)))
    throw forbidden(`${first.name} requires single sign-on. Please sign in with it.`);
}

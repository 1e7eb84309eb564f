import { hashPassword, passwordMatches } from '../../../auth/passwords.js';
import type { Context } from '../../../context.js';
import type { UserRow } from '../../../entities/database.js';
import { endSessions } from '../../organizations/users/account.js';
import type { Ledger } from './ledger.js';
import type { ProvisioningPlan } from './plan.js';
import { reconcile } from './reconcile.js';

/** Applies the planned users; a password that still matches is not hashed again, another one signs the user out everywhere. */
export async function applyUsers(context: Context, ledger: Ledger, users: ProvisioningPlan['users']): Promise<void> {
  for (const [index, user] of users.entries()) {
    const existing = await findUser(context, user.email);
    const hash = await passwordHash(user.password, existing);
    if (existing && hash !== undefined && hash !== existing.passwordHash) await endSessions(context, existing.id);
    await reconcile(context, ledger, {
      table: 'users',
      kind: 'user',
      name: user.email,
      path: `users.${index}`,
      id: user.id,
      organizationId: null,
      existing,
      identity: { email: user.email },
      values: { name: user.name, passwordHash: hash },
      called: { passwordHash: 'password' },
    });
  }
}

async function passwordHash(password: string | undefined, existing: UserRow | undefined): Promise<string | undefined> {
  if (password === undefined) return undefined;
  const currentHash = existing?.passwordHash ?? null;
  return currentHash !== null && (await passwordMatches(password, currentHash)) ? currentHash : hashPassword(password);
}

/** The user with an email address. */
export async function findUser(context: Context, email: string): Promise<UserRow | undefined> {
  return context.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

/** The id of a user that the plan refers to; a dangling reference is refused. */
export async function requireUser(
  context: Context,
  ledger: Ledger,
  email: string,
  path: string,
): Promise<string | null> {
  const user = await findUser(context, email);
  if (!user) ledger.refuse(path, `there is no user ${email}, here or in the database`);
  return user?.id ?? null;
}

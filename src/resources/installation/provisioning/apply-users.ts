import { hashNewPassword, passwordProblem } from '../../../auth/new-password.js';
import { passwordMatches } from '../../../auth/passwords.js';
import type { Context } from '../../../request/context.js';
import type { UserRow } from '../../../entities/database.js';
import { accountsWithEmail, endSessions, findAccount } from '../../organizations/users/account.js';
import type { Ledger } from './ledger.js';
import type { ProvisioningPlan } from './plan.js';
import { reconcile } from './reconcile.js';

type PlannedUser = ProvisioningPlan['users'][number];

/**
 * Applies the planned users; a password that still matches is not hashed again, another one signs the user out
 * everywhere.
 */
export async function applyUsers(context: Context, ledger: Ledger, users: PlannedUser[]): Promise<void> {
  for (const [index, user] of users.entries()) {
    const path = `users.${index}`;
    const existing = await findUser(context, ledger, user.email, `${path}.email`);
    if (existing === 'ambiguous') continue;
    const hash = await passwordHash(ledger, `${path}.password`, user, existing);
    if (existing && hash !== undefined && hash !== existing.passwordHash) await endSessions(context, existing.id);
    await reconcile(context, ledger, {
      table: 'users',
      kind: 'user',
      name: user.email,
      path,
      id: user.id,
      organizationId: null,
      existing,
      identity: { email: user.email },
      values: { name: user.name, passwordHash: hash },
      called: { passwordHash: 'password' },
    });
  }
}

/**
 * The hash of a planned password; undefined without one, or where it may not be set, which the ledger then has. A
 * password that was set before is not asked for its strength again, so that a file goes on to work.
 */
async function passwordHash(
  ledger: Ledger,
  path: string,
  { email, password }: Pick<PlannedUser, 'email' | 'password'>,
  existing: UserRow | undefined,
): Promise<string | undefined> {
  if (password === undefined) return undefined;
  const currentHash = existing?.passwordHash ?? null;
  if (currentHash !== null && (await passwordMatches(password, currentHash))) return currentHash;
  const problem = await passwordProblem(password, email);
  if (problem === null) return hashNewPassword(password, email);
  ledger.refuse(path, `password ${problem}`);
  return undefined;
}

/**
 * The user with an email address in any case; `ambiguous` where several differ in case alone, which the ledger then
 * has.
 */
async function findUser(
  context: Context,
  ledger: Ledger,
  email: string,
  path: string,
): Promise<UserRow | 'ambiguous' | undefined> {
  const account = await findAccount(context, email);
  if (account) return account;
  const others = await accountsWithEmail(context, email);
  if (others.length === 0) return undefined;
  ledger.refuse(
    path,
    `several users have the address ${email} in other spellings: ${others.map((user) => user.email).join(', ')}`,
  );
  return 'ambiguous';
}

/** The id of a user that the plan refers to; a dangling reference is refused. */
export async function requireUser(
  context: Context,
  ledger: Ledger,
  email: string,
  path: string,
): Promise<string | null> {
  const user = await findUser(context, ledger, email, path);
  if (user === 'ambiguous') return null;
  if (!user) ledger.refuse(path, `there is no user ${email}, here or in the database`);
  return user?.id ?? null;
}

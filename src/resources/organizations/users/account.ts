import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { limits } from '../../../domain/limits/limits.js';
import type { UserRow } from '../../../entities/database.js';

/** An email address as accounts are identified by. */
export const emailAddress = z
  .string()
  .trim()
  .max(limits.personLength)
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address');

/** A password of a person; `auth/new-password.ts` says which ones can be set. */
export const password = z
  .string()
  .min(1, 'must not be empty')
  .max(limits.passwordLength, `must be at most ${limits.passwordLength} characters`);

/**
 * The accounts with an email address in any spelling of its letters' case, the one with this spelling first. There are
 * several only where they were made before addresses counted alike (`sharesEmail`).
 */
export function accountsWithEmail({ db }: Pick<Context, 'db'>, email: string): Promise<UserRow[]> {
  return db
    .selectFrom('users')
    .selectAll()
    .where(sql<boolean>`lower(email) = lower(${email}::text)`)
    .orderBy((eb) => eb('email', '=', email), 'desc')
    .orderBy('id')
    .limit(2)
    .execute();
}

/**
 * The account with an email address; without one, the only account whose address differs in capital letters alone, as
 * people and providers spell addresses both ways. Null also where several accounts differ so: {@link
 * accountsWithEmail}.
 */
export async function findAccount(context: Pick<Context, 'db'>, email: string): Promise<UserRow | null> {
  const [first, ...others] = await accountsWithEmail(context, email);
  return first && (first.email === email || others.length === 0) ? first : null;
}

/** Signs a user out everywhere, as after a change of the password. */
export async function endSessions(context: Context, userId: string): Promise<void> {
  await context.db.deleteFrom('sessions').where('userId', '=', userId).execute();
}

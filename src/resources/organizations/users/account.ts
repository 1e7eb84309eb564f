import { z } from 'zod';
import type { Context } from '../../../context.js';
import { limits } from '../../../domain/limits.js';
import type { UserRow } from '../../../entities/database.js';

/** An email address as accounts are identified by. */
export const emailAddress = z
  .string()
  .trim()
  .max(limits.personLength)
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address');

/** A password of a person: any text that is not empty. */
export const password = z
  .string()
  .min(1, 'must not be empty')
  .max(limits.passwordLength, `must be at most ${limits.passwordLength} characters`);

/**
 * The account with an email address; without one, the only account whose address differs in capital letters alone, as
 * people and providers spell addresses both ways.
 */
export async function findAccount(context: Context, email: string): Promise<UserRow | null> {
  const exact = await context.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
  if (exact) return exact;
  const [only, ...others] = await context.db
    .selectFrom('users')
    .selectAll()
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .limit(2)
    .execute();
  return only && others.length === 0 ? only : null;
}

/** Signs a user out everywhere, as after a change of the password. */
export async function endSessions(context: Context, userId: string): Promise<void> {
  await context.db.deleteFrom('sessions').where('userId', '=', userId).execute();
}

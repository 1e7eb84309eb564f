import { limits } from '../domain/limits/limits.js';
import { invalidField } from '../domain/problem.js';
import { hashPassword } from './passwords.js';

/** Some 49,000 passwords that people choose most, in lower case; 5 MB once the first password is set. */
async function commonPasswords(): Promise<readonly string[]> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return dictionary['passwords-common'];
}

/**
 * Why a text may not become the password of the account with this email address; null for one that may. The rules are
 * NIST's: a least length and no password that guessing begins with, and no rules about kinds of characters.
 */
export async function passwordProblem(password: string, email: string): Promise<string | null> {
  const text = password.normalize('NFKC');
  if ([...text].length < limits.passwordLengthMinimum)
    return `must be at least ${limits.passwordLengthMinimum} characters`;
  const lower = text.toLowerCase();
  const address = email.toLowerCase();
  if (lower === address || lower === address.slice(0, address.lastIndexOf('@'))) return 'must not be the email address';
  if ((await commonPasswords()).includes(lower)) return 'is one of the most common passwords';
  return null;
}

/**
 * The stored form of a new password; throws `invalid` for one that {@link passwordProblem} refuses. Every password is
 * set by this.
 */
export async function hashNewPassword(password: string, email: string, field = 'password'): Promise<string> {
  const problem = await passwordProblem(password, email);
  if (problem !== null) throw invalidField(field, problem);
  return hashPassword(password);
}

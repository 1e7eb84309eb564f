import { limits } from '../limits/limits.js';

/**
 * Returns the problem of a secret's key, or null: a letter, then letters, digits and underscores, without a reserved
 * prefix.
 */
export function secretKeyProblem(key: string): string | null {
  if (key.length > limits.secretKeyLength) return `is too long (maximum is ${limits.secretKeyLength} characters)`;
  if (!/^[A-Za-z]\w*$/.test(key)) return 'must begin with a letter and hold letters, digits and underscores only';
  if (/^(?:buildkite|bk)/i.test(key)) return 'must not begin with "buildkite" or "bk"';
  return null;
}

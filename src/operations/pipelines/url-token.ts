import { newToken } from '../../auth/secrets.js';

/** The secret part of a webhook or badge URL: 50 hex characters (rest-facts 1.8). */
export function newUrlToken(): string {
  return newToken('', 25);
}

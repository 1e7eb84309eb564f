import type { SecretKeys } from './secret-keys.js';
import { isSignedBy, sign, tokenPrefixes } from './secrets.js';

/**
 * The token an agent uses for one attempt of one job. It is derived, not stored: it survives restarts, is the same
 * on every replica, and an old attempt's token is worth nothing once the attempt has been raised.
 */
export function jobToken(secretKey: SecretKeys, jobId: string, attempt: number): string {
  return `${tokenPrefixes.job}${jobId}.${attempt}.${sign(secretKey, 'job-token', jobId, String(attempt))}`;
}

/** Returns the job and attempt of a token, or null for a token that Slipway did not issue. */
export function readJobToken(secretKey: SecretKeys, token: string): { jobId: string; attempt: number } | null {
  const match = /^bkaj_([0-9a-f-]{36})\.(\d{1,9})\.([0-9a-f]{64})$/.exec(token);
  if (!match) return null;
  const [, jobId, attempt, signature] = match as unknown as [string, string, string, string];
  if (!isSignedBy(secretKey, signature, 'job-token', jobId, attempt)) return null;
  return { jobId, attempt: Number(attempt) };
}

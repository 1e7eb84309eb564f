import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { acceptedKeys, type SecretKeys } from './secret-keys.js';

/**
 * Stored form of a token: its SHA-256. Tokens are long and random (or, in a provisioning file, at least 20 characters).
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** A new random token, `prefix` and 40 to 64 hex characters; `bytes` defaults to 32. */
export function newToken(prefix: string, bytes = 32): string {
  return prefix + randomBytes(bytes).toString('hex');
}

/** Compares in constant time, regardless of the lengths. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** HMAC-SHA256 in hex over the parts, keyed by the installation's current key and a purpose that keeps uses apart. */
export function sign({ current }: SecretKeys, purpose: string, ...parts: string[]): string {
  return signWith(current, purpose, parts);
}

/** Whether {@link sign} made this signature of the parts with the current or previous key. */
export function isSignedBy(keys: SecretKeys, signature: string, purpose: string, ...parts: string[]): boolean {
  return acceptedKeys(keys).some((key) => sameSecret(signature, signWith(key, purpose, parts)));
}

function signWith(key: string, purpose: string, parts: readonly string[]): string {
  return createHmac('sha256', `${purpose}\0${key}`).update(parts.join('\0')).digest('hex');
}

export const tokenPrefixes = {
  api: 'bkua_',
  /** API tokens that programs got by OAuth. */
  oauth: 'bkoa_',
  agentRegistration: 'bkct_',
  agentSession: 'bkaa_',
  job: 'bkaj_',
} as const;

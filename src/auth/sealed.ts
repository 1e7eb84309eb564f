import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { acceptedKeys, keyId, type SecretKeys } from './secret-keys.js';

const nonceBytes = 12;
const tagBytes = 16;

/** Keys by purpose and by the installation's key: two of these at most, and a dozen purposes. */
const derived = new Map<string, Map<string, Buffer>>();

/** Derives one key for each purpose, so that a value sealed for one purpose cannot be used for another. */
function keyFor(key: string, purpose: string): Buffer {
  const ofPurpose = derived.get(purpose) ?? new Map<string, Buffer>();
  derived.set(purpose, ofPurpose);
  let own = ofPurpose.get(key);
  if (!own) {
    own = Buffer.from(hkdfSync('sha256', key, '', `slipway sealed ${purpose}`, 32));
    // Keys change by rotation alone; tests have many.
    if (ofPurpose.size >= 10) ofPurpose.clear();
    ofPurpose.set(key, own);
  }
  return own;
}

/** Prefix of every value sealed with the current key: the version of the format and the key's id. */
export const sealedPrefix = ({ current }: SecretKeys): string => `v2.${keyId(current)}.`;

/**
 * Encrypts a value that must be read back, such as a receiver's token, with the installation's current key:
 * AES-256-GCM, bound to its purpose and to its owner, such as the id of its row, so that it cannot be moved elsewhere.
 * Returns `v2.`, the key's id and base64url, separated by dots; sealing the same text twice gives different values.
 */
export function seal(keys: SecretKeys, purpose: string, text: string, boundTo = ''): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', keyFor(keys.current, purpose), nonce).setAAD(Buffer.from(boundTo));
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return sealedPrefix(keys) + sealed.toString('base64url');
}

/** The plain text of a value sealed by {@link seal}; null if neither key opens it for this purpose and place. */
export function unseal(keys: SecretKeys, purpose: string, value: string, boundTo = ''): string | null {
  const parts = value.split('.');
  const body = Buffer.from(parts.at(-1) ?? '', 'base64url');
  if (body.length < nonceBytes + tagBytes) return null;
  for (const key of candidates(keys, parts)) {
    const text = open(keyFor(key, purpose), body, boundTo);
    if (text !== null) return text;
  }
  return null;
}

/** Keys that may open a value: the one it names, or all for values of the first format (`v1.…`), which name none. */
function candidates(keys: SecretKeys, parts: readonly string[]): readonly string[] {
  const [form, id] = parts;
  if (form === 'v1' && parts.length === 2) return acceptedKeys(keys);
  if (form === 'v2' && parts.length === 3) return acceptedKeys(keys).filter((key) => keyId(key) === id);
  return [];
}

function open(key: Buffer, body: Buffer, boundTo: string): string | null {
  const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(body.subarray(body.length - tagBytes));
  try {
    return Buffer.concat([
      decipher.update(body.subarray(nonceBytes, body.length - tagBytes)),
      decipher.final(),
    ]).toString('utf8');
  } catch {
    return null;
  }
}

/** The same, for a value that was sealed here: throws where it does not open, as after a change of the secret. */
export function unsealOwn(keys: SecretKeys, purpose: string, value: string, boundTo = ''): string {
  const text = unseal(keys, purpose, value, boundTo);
  if (text === null)
    throw new Error(
      `a sealed value (${purpose}) does not open: it was changed, moved, or sealed with another secret key`,
    );
  return text;
}

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

const keyOf = (secretKey: string, purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, '', `seal\0${purpose}`, 32));

/** Encrypts a secret that must be shown again, under the installation's secret; `purpose` keeps uses apart. Gives base64. */
export function seal(secretKey: string, purpose: string, secret: string): string {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, keyOf(secretKey, purpose), nonce);
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** What was sealed, or null where it cannot be read: another secret key, or a changed text. */
export function unseal(secretKey: string, purpose: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < nonceLength + tagLength) return null;
  try {
    const decipher = createDecipheriv(algorithm, keyOf(secretKey, purpose), bytes.subarray(0, nonceLength), { authTagLength: tagLength });
    decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
    return Buffer.concat([decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

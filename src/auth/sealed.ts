import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** One key a purpose, all of the installation's secret. */
function keyFor(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', `sealed:${purpose}`, 32));
}

/** Encrypts a secret that must be read back (promises.md): AES-256-GCM, `v1.` and nonce, tag and text in base64url. */
export function seal(secretKey: string, purpose: string, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyFor(secretKey, purpose), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

/** What was sealed for this purpose; null where it was sealed with another key or for another purpose, or was changed. */
export function unseal(secretKey: string, purpose: string, sealed: string): string | null {
  if (!sealed.startsWith('v1.')) return null;
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  if (bytes.length < 28) return null;
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyFor(secretKey, purpose), bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const version = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

/** One key for each purpose, so that what is sealed for one use cannot be moved to another. */
function keyFor(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', `slipway sealed ${purpose}`, 32));
}

/**
 * Encrypts what must be read back (a receiver's token, say) with the installation's secret: AES-256-GCM, bound to its
 * purpose and to what it belongs to, such as the id of its row: moved elsewhere it does not open. Gives `v1.` and
 * base64url; the same text never gives the same value twice.
 */
export function seal(secretKey: string, purpose: string, text: string, boundTo = ''): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', keyFor(secretKey, purpose), nonce).setAAD(Buffer.from(boundTo));
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${version}.${sealed.toString('base64url')}`;
}

/** The text that {@link seal} was given, or null for a value that was not sealed with this secret, for this purpose, for this. */
export function unseal(secretKey: string, purpose: string, value: string, boundTo = ''): string | null {
  const [head, body = ''] = value.split('.');
  const bytes = Buffer.from(body, 'base64url');
  if (head !== version || bytes.length < nonceBytes + tagBytes) return null;
  const decipher = createDecipheriv('aes-256-gcm', keyFor(secretKey, purpose), bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(bytes.subarray(bytes.length - tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, bytes.length - tagBytes)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/** The same, for a value that was sealed here: throws where it does not open, as after a change of the secret. */
export function unsealOwn(secretKey: string, purpose: string, value: string, boundTo = ''): string {
  const text = unseal(secretKey, purpose, value, boundTo);
  if (text === null) throw new Error(`a sealed value (${purpose}) does not open: it was changed, moved, or sealed with another secret key`);
  return text;
}

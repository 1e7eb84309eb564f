import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const version = 'v1';

/** A key of its own for each use of the installation's secret. */
const keyFor = (secretKey: string, purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, 'slipway encryption', purpose, 32));

/**
 * Encrypts a text for the database: AES-256-GCM with a random nonce. `boundTo` is what the text belongs to, such as the id of
 * its row: a value moved elsewhere does not open there.
 */
export function encrypt(secretKey: string, purpose: string, boundTo: string, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyFor(secretKey, purpose), nonce).setAAD(Buffer.from(boundTo));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return [version, nonce.toString('base64url'), cipher.getAuthTag().toString('base64url'), body.toString('base64url')].join('.');
}

/** The text again; throws where anything was changed, moved, or encrypted under another secret key. */
export function decrypt(secretKey: string, purpose: string, boundTo: string, sealed: string): string {
  const [form, nonce, tag, body] = sealed.split('.');
  if (form !== version || nonce === undefined || tag === undefined || body === undefined) throw new Error('this was not encrypted here');
  const cipher = createDecipheriv('aes-256-gcm', keyFor(secretKey, purpose), Buffer.from(nonce, 'base64url'), { authTagLength: 16 });
  cipher.setAAD(Buffer.from(boundTo)).setAuthTag(Buffer.from(tag, 'base64url'));
  return Buffer.concat([cipher.update(Buffer.from(body, 'base64url')), cipher.final()]).toString('utf8');
}

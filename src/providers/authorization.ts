import type { ProviderCredential } from '../services/source-providers.js';

/** `Authorization` of a token: a bearer, or basic with the account that it belongs to. */
export function authorizationOf(credential: ProviderCredential): string {
  if (credential.kind !== 'token') return '';
  const { token, username } = credential;
  return username === null
    ? `Bearer ${token}`
    : `Basic ${Buffer.from(`${username}:${token}`, 'utf8').toString('base64')}`;
}

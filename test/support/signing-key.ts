import { generateKeyPairSync } from 'node:crypto';

/** A new key that signs with RS256, as a private JWK. */
export function temporarySigningKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'test' };
}

import { createHash } from 'node:crypto';
import { sameSecret } from './secrets.js';

/** Form of a challenge by SHA-256 (RFC 7636, section 4.2). */
export const challengeShape = /^[A-Za-z0-9_-]{43}$/;
const verifierShape = /^[A-Za-z0-9._~-]{43,128}$/;

/** Whether somebody who shows this verifier is who sent the challenge. */
export function provesChallenge(challenge: string, verifier: string): boolean {
  return (
    verifierShape.test(verifier) && sameSecret(createHash('sha256').update(verifier).digest('base64url'), challenge)
  );
}

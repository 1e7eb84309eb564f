import { createHmac } from 'node:crypto';
import { sameSecret } from './secrets.js';

/** Proof that the sender of a delivery knows the secret: a signature over its body, or the secret itself. */
export type DeliveryProof = { kind: 'sha256'; signature: string } | { kind: 'token'; token: string };

/** Whether a delivery's proof fits the secret; compared in constant time. */
export function provesSecret(proof: DeliveryProof | null, secret: string, body: Uint8Array): boolean {
  if (proof === null) return false;
  if (proof.kind === 'token') return sameSecret(proof.token, secret);
  return sameSecret(proof.signature.toLowerCase(), createHmac('sha256', secret).update(body).digest('hex'));
}

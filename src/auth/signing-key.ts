import {
  calculateJwkThumbprint,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importPKCS8,
  type JWTPayload,
  SignJWT,
} from 'jose';
import type { JsonObject } from '../domain/pipelines/steps/step.js';

/** The one algorithm that every receiver of identity tokens knows. */
const algorithm = 'RS256';

export interface NewSigningKey {
  /** The thumbprint of the public key. */
  id: string;
  publicJwk: JsonObject;
  /** PKCS #8. */
  privateKey: string;
}

/** Makes a key pair, in a thread of the runtime: it takes a tenth of a second. */
export async function newSigningKey(): Promise<NewSigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { modulusLength: 2048, extractable: true });
  const jwk = await exportJWK(publicKey);
  const id = await calculateJwkThumbprint(jwk);
  return {
    id,
    publicJwk: { ...(jwk as JsonObject), kid: id, alg: algorithm, use: 'sig' },
    privateKey: await exportPKCS8(privateKey),
  };
}

/** Signs the claims of a token. `payload` contains them all, `iat` and `exp` too. */
export async function signToken(
  { id, privateKey }: Pick<NewSigningKey, 'id' | 'privateKey'>,
  payload: JWTPayload,
): Promise<string> {
  return new SignJWT(payload)
    .setProtectedHeader({ alg: algorithm, kid: id, typ: 'JWT' })
    .sign(await importPKCS8(privateKey, algorithm));
}

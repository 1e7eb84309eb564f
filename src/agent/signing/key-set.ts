import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { exportJWK, FlattenedSign, flattenedVerify, generateKeyPair, importJWK, type JWK } from 'jose';

/** Algorithms of step signatures: none whose verifying key could sign. */
export const signatureAlgorithms = ['EdDSA', 'ES512', 'PS512'] as const;
export type SignatureAlgorithm = (typeof signatureAlgorithms)[number];

/** A file of keys that cannot be used; the message names it. */
export class KeySetError extends Error {
  override readonly name = 'KeySetError';
}

export type Key = JWK & { kid: string; alg: SignatureAlgorithm };

const isAlgorithm = (alg: unknown): alg is SignatureAlgorithm => signatureAlgorithms.some((each) => each === alg);

/**
 * Reads a JSON Web Key Set from a file.
 * @throws KeySetError unless every key has an id and one of the algorithms
 */
export async function readKeySet(path: string): Promise<Key[]> {
  let keys: unknown;
  try {
    ({ keys } = JSON.parse(await readFile(path, 'utf8')) as { keys: unknown });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new KeySetError(`the keys in ${path} cannot be read (${code ?? 'no JSON'})`);
  }
  if (!Array.isArray(keys) || keys.length === 0) throw new KeySetError(`${path} holds no keys`);
  return (keys as JWK[]).map((key) => {
    if (!key.kid) throw new KeySetError(`a key in ${path} has no id ("kid")`);
    if (!isAlgorithm(key.alg))
      throw new KeySetError(`the key ${key.kid} in ${path} is not for one of ${signatureAlgorithms.join(', ')}`);
    return key as Key;
  });
}

/** The key with this id, or the only one; throws KeySetError where there is none or no choice. */
export function chooseKey(keys: readonly Key[], id: string | undefined): Key {
  const [key] = id === undefined ? keys : keys.filter(({ kid }) => kid === id);
  if (!key) throw new KeySetError(`there is no key ${id}`);
  if (id === undefined && keys.length > 1) throw new KeySetError('there are several keys: name one by its id');
  return key;
}

/** Signs bytes: a compact JWS without its payload, `header..signature`. */
export async function signDetached(key: Key, payload: Uint8Array): Promise<string> {
  const signed = await new FlattenedSign(payload)
    .setProtectedHeader({ alg: key.alg, kid: key.kid })
    .sign(await importJWK(key, key.alg));
  return `${signed.protected}..${signed.signature}`;
}

/** Whether one of the keys, the one that the signature names, made it for these bytes. */
export async function verifyDetached(keys: readonly Key[], value: string, payload: Uint8Array): Promise<boolean> {
  const [header = '', detached, signature = '', ...more] = value.split('.');
  if (detached !== '' || more.length > 0) return false;
  try {
    const { kid, alg } = JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as JWK;
    const key = keys.find((each) => each.kid === kid && each.alg === alg);
    if (!key) return false;
    const jws = { protected: header, payload: Buffer.from(payload).toString('base64url'), signature };
    await flattenedVerify(jws, await importJWK(key, key.alg), { algorithms: [key.alg] });
    return true;
  } catch {
    // A signature that cannot be read proves nothing, like one that is wrong.
    return false;
  }
}

export interface KeyPairFiles {
  algorithm: SignatureAlgorithm;
  /** Default a random one. */
  keyId?: string;
  /** Default `ALGORITHM-ID-private.json` and `-public.json` in the working directory. */
  privatePath?: string;
  publicPath?: string;
}

/**
 * Makes a key pair for signed steps and writes each half as a key set to a file that does not exist yet.
 * @returns id and paths
 * @throws KeySetError where a file exists or cannot be written
 */
export async function writeKeyPair(
  files: KeyPairFiles,
): Promise<{ keyId: string; privatePath: string; publicPath: string }> {
  const { algorithm: alg, keyId: kid = `key-${randomBytes(4).toString('hex')}` } = files;
  const pair = await generateKeyPair(alg, { extractable: true, modulusLength: 4096 });
  const { privatePath = `${alg}-${kid}-private.json`, publicPath = `${alg}-${kid}-public.json` } = files;
  for (const [path, key] of [
    [privatePath, pair.privateKey],
    [publicPath, pair.publicKey],
  ] as const) {
    const text = JSON.stringify({ keys: [{ alg, kid, use: 'sig', ...(await exportJWK(key)) }] });
    await writeFile(path, `${text}\n`, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      throw new KeySetError(
        `${path} ${error.code === 'EEXIST' ? 'exists already' : `cannot be written (${error.code})`}`,
      );
    });
  }
  return { keyId: kid, privatePath, publicPath };
}

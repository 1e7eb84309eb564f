import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';
import { BackupError } from './format.js';
import type { OpenBackup } from './verify.js';

/**
 * Backups are encrypted in the age format (age-encryption.org/v1), which the program `age` reads too: only whoever has
 * the private half of one of the keys can.
 */
const mark = Buffer.from('age-encryption.org/v1\n');

/** Encrypts a stream for the holders of some keys, as it goes by. */
export type Encryption = (plain: Readable) => Promise<Readable>;

/** What reads streams of Node.js and of the web alike, which their types do not say. */
const toWeb = (stream: Readable) => Readable.toWeb(stream) as ReadableStream<Uint8Array>;
const fromWeb = (stream: ReadableStream<Uint8Array>) => Readable.fromWeb(stream as WebStream<Uint8Array>);

/** The keys in a file of `age-keygen`: lines, of which those that begin with `#` are comments. */
async function readKeys(file: string): Promise<string[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new BackupError(`the file of keys ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

/** Reads public keys (`age1…`) to encrypt to. Throws {@link BackupError} for a file that has other things. */
export async function readEncryption(file: string): Promise<Encryption> {
  const keys = await readKeys(file);
  const encrypter = new Encrypter();
  for (const key of keys) {
    if (key.startsWith('AGE-SECRET-KEY-'))
      throw new BackupError(`${file} has a private key: encrypt to the public one, which age-keygen -y prints`);
    try {
      encrypter.addRecipient(key);
    } catch {
      throw new BackupError(`${file} has a line that is no public key of age: ${JSON.stringify(key.slice(0, 20))}`);
    }
  }
  if (keys.length === 0) throw new BackupError(`${file} has no public key, such as age1…`);
  return async (plain) => fromWeb(await encrypter.encrypt(toWeb(plain)));
}

/** Decrypts a backup; null for one that must not be encrypted. */
export type Decryption = ((encrypted: Readable) => Promise<Readable>) | null;

/** Reads private keys (`AGE-SECRET-KEY-1…`). Throws {@link BackupError} for a file that has other things. */
export async function readDecryption(file: string): Promise<NonNullable<Decryption>> {
  const keys = await readKeys(file);
  const decrypter = new Decrypter();
  for (const key of keys) {
    try {
      decrypter.addIdentity(key);
    } catch {
      throw new BackupError(`${file} has a line that is no private key of age (AGE-SECRET-KEY-1…)`);
    }
  }
  if (keys.length === 0) throw new BackupError(`${file} has no private key, such as AGE-SECRET-KEY-1…`);
  return async (encrypted) => {
    try {
      return fromWeb(await decrypter.decrypt(toWeb(encrypted)));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new BackupError(
        /no identity matched/.test(reason)
          ? `${file} has not the key that this backup is encrypted to`
          : `the backup is damaged: ${reason}`,
      );
    }
  };
}

/** A backup as it was before it was encrypted; one that is not encrypted is read as it is. */
export function decrypted(open: OpenBackup, decryption: Decryption): OpenBackup {
  return async () => {
    const source = await open();
    const pieces: AsyncIterator<Buffer> = source[Symbol.asyncIterator]();
    let begin = Buffer.alloc(0);
    while (begin.length < mark.length) {
      const next = await pieces.next();
      if (next.done) break;
      begin = Buffer.concat([begin, next.value]);
    }
    const whole = Readable.from(rest(begin, pieces), { objectMode: false });
    if (!begin.subarray(0, mark.length).equals(mark)) return whole;
    if (decryption === null) {
      source.destroy();
      throw new BackupError('the backup is encrypted: give the file of its private key (--identity FILE)');
    }
    return Readable.from(intact(await decryption(whole)), { objectMode: false });
  };
}

async function* rest(begin: Buffer, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield begin;
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
  } finally {
    await pieces.return?.();
  }
}

/** Each piece is authenticated before it is given on: one that was changed, or is missing, is an error. */
async function* intact(plain: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const piece of plain) yield piece as Buffer;
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(
      `the backup is cut off or damaged: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, open, rm, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Encryption } from './encryption.js';
import { BackupError } from './format.js';
import { throughStream } from './through-stream.js';
import { type OpenBackup, verifyBackup } from './verify.js';

/** Bytes of a file that are read at a time. */
const readBytes = 256 * 1024;

/**
 * Has a backup written into a new file, which is there under its name only once it is whole, on the disk, and was read
 * back: entry by entry, or if it is encrypted by the digest of all of it, since nobody here can decrypt it. What an
 * interrupted one left is replaced. Throws {@link BackupError} where there is a file of the name.
 */
export async function writeBackupFile<T>(
  file: string,
  write: (sink: Writable) => Promise<T>,
  { encryption = null }: { encryption?: Encryption | null } = {},
): Promise<T> {
  if (await exists(file)) throw new BackupError(`${file} exists already: name a new file, or remove it`);
  const part = `${file}.part`;
  await rm(part, { force: true });
  try {
    const result = await intoNewFile(part, (sink) =>
      encryption ? writeEncrypted(part, sink, write, encryption) : write(sink),
    );
    if (!encryption) await verifyBackup(backupFile(part));
    // A name that was taken meanwhile is not replaced.
    await link(part, file);
    await syncFolder(dirname(file));
    return result;
  } finally {
    await unlink(part).catch(() => undefined);
  }
}

/**
 * Has a new file written that its owner alone may read. It is opened before anything is made to be written to it: its
 * folder may be missing.
 */
export async function intoNewFile<T>(file: string, write: (sink: Writable) => Promise<T>): Promise<T> {
  const sink = (await open(file, 'wx', 0o600)).createWriteStream({ flush: true });
  try {
    return await write(sink);
  } catch (error) {
    sink.destroy();
    throw error;
  }
}

async function writeEncrypted<T>(
  file: string,
  sink: Writable,
  write: (sink: Writable) => Promise<T>,
  encryption: Encryption,
): Promise<T> {
  const hash = createHash('sha256');
  const result = await throughStream(
    write,
    (body) => pipeline(body, (pieces) => through(pieces, hash), sink),
    encryption,
  );
  const stored = createHash('sha256');
  for await (const piece of createReadStream(file, { highWaterMark: readBytes })) stored.update(piece as Buffer);
  if (hash.digest('hex') !== stored.digest('hex'))
    throw new BackupError('the disk has not what was written to it: make the backup elsewhere');
  return result;
}

async function* through(pieces: Readable, hash: { update(bytes: Buffer): unknown }): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    hash.update(piece as Buffer);
    yield piece as Buffer;
  }
}

/** A backup in a file, to be read. Throws {@link BackupError} at the first read where there is none. */
export function backupFile(file: string): OpenBackup {
  return async () => {
    if (!(await exists(file))) throw new BackupError(`there is no file ${file}`);
    return createReadStream(file, { highWaterMark: readBytes });
  };
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

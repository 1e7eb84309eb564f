import { createReadStream, createWriteStream } from 'node:fs';
import { link, open, rm, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { BackupError } from './format.js';
import { type OpenBackup, verifyBackup } from './verify.js';

/** Bytes of a file that are read at a time. */
const readBytes = 256 * 1024;

/**
 * Has a backup written into a new file, which is there under its name only once it is whole, on the disk, and was read
 * back. What an interrupted one left is replaced. Throws {@link BackupError} where there is a file of the name.
 */
export async function writeBackupFile<T>(file: string, write: (sink: Writable) => Promise<T>): Promise<T> {
  if (await exists(file)) throw new BackupError(`${file} exists already: name a new file, or remove it`);
  const part = `${file}.part`;
  await rm(part, { force: true });
  try {
    const result = await write(createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }));
    await verifyBackup(backupFile(part));
    // A name that was taken meanwhile is not replaced.
    await link(part, file);
    await syncFolder(dirname(file));
    return result;
  } finally {
    await unlink(part).catch(() => undefined);
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

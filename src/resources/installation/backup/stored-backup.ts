import { Readable, type Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPieces } from '../../../storage/read-pieces.js';
import type { ObjectStorage } from '../../../storage/storage.js';
import type { Encryption } from './encryption.js';
import { BackupError } from './format.js';
import { throughStream } from './through-stream.js';
import type { OpenBackup } from './verify.js';

/** A part of an upload: an object has at most 10,000 of them, and two are in memory. */
const partBytes = 32 * 1024 * 1024;
const maxBytes = 10_000 * partBytes;
const namesAtMost = 5;
const lookAgainMs = 1_000;

/** What a backup is stored under. */
export interface BackupName {
  installation: string;
  madeAt: Date;
  isEncrypted: boolean;
  /** Made by the schedule, which deletes old ones of its own and no others. */
  isScheduled: boolean;
}

/** The name of a backup, in whose order those of an installation are by age. */
export function backupName({ installation, madeAt, isEncrypted, isScheduled }: BackupName): string {
  const time = madeAt
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/[-:]/g, '');
  const kind = isScheduled ? '.scheduled' : '';
  return `slipway-${installation.slice(0, 8)}-${time}${kind}.tar${isEncrypted ? '.age' : ''}`;
}

/** Whether a name is that of a scheduled backup of an installation. */
export const isScheduledBackup = (name: string, installation: string): boolean =>
  name.startsWith(`slipway-${installation.slice(0, 8)}-`) && /-\d{8}T\d{6}Z\.scheduled\.tar(\.age)?$/.test(name);

/**
 * Has a backup written into a storage, in parts and without a copy on this machine. It is there under its name only
 * once it is whole. Returns what `write` does, with the bytes that are stored.
 */
export async function storeBackup<T>(
  storage: ObjectStorage,
  name: string,
  write: (sink: Writable) => Promise<T>,
  { encryption }: { encryption: Encryption | null },
): Promise<{ result: T; bytes: number }> {
  if ((await storage.stat(name)) !== null) throw new BackupError(`there is a backup ${name} already`);
  let bytes = 0;
  const result = await throughStream(
    write,
    async (body) => {
      bytes = await storage.put(name, body, {
        maxBytes,
        partBytes,
        patient: true,
        contentType: 'application/octet-stream',
      });
    },
    encryption,
  );
  await requireStored(storage, name, bytes);
  return { result, bytes };
}

/** Some services list and describe an object a moment after they have taken it. */
async function requireStored(storage: ObjectStorage, name: string, bytes: number): Promise<void> {
  const stat = (await storage.stat(name)) ?? (await sleep(lookAgainMs).then(() => storage.stat(name)));
  if (stat?.size === bytes) return;
  throw new BackupError(`the storage has ${stat?.size ?? 'no'} bytes of ${name}, and was given ${bytes}: try again`);
}

/** A backup in a storage, to be read. Throws {@link BackupError} at the first read where there is none. */
export function storedBackup(storage: ObjectStorage, name: string): OpenBackup {
  return async () => {
    const stat = name === '' ? null : await storage.stat(name);
    if (stat) return Readable.from(readPieces(storage, name, stat.size), { objectMode: false });
    const names = await newestBackups(storage);
    const others = names.length === 0 ? 'nor any other' : `there are ${names.join(', ')}`;
    throw new BackupError(`there is no backup ${JSON.stringify(name)}; ${others}`);
  };
}

async function newestBackups(storage: ObjectStorage): Promise<string[]> {
  const names: string[] = [];
  for await (const { key } of storage.list('')) if (/^slipway-[^/]+\.tar(\.age)?$/.test(key)) names.push(key);
  return names.sort().slice(-namesAtMost);
}

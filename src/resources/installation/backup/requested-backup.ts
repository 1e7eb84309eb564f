import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { OpenDatabase } from '../../../database/open.js';
import type { Services } from '../../../services/services.js';
import { type Backup, type BackupProgress, backUp } from './back-up.js';
import { intoNewFile } from './backup-file.js';
import { BackupError } from './format.js';

/** How often the disk is looked at while the backup is written to it. */
const lookEveryMs = 1_000;

export interface Requested {
  summary: Backup;
  bytes: number;
  content: Readable;
}

/**
 * Makes a backup of a running server in a file of its data folder, has it taken from there, and deletes it. The
 * embedded database serves nobody while its rows are read, which must not take as long as the one who asked; and it
 * ends where its disk is full, so the backup is given up before.
 */
export async function takeBackup(
  { database, services, folder }: { database: OpenDatabase; services: Services; folder: string },
  options: { version: string; signal: AbortSignal; progress: (progress: BackupProgress) => void },
  take: (backup: Requested) => Promise<void>,
): Promise<void> {
  const file = join(folder, 'requested-backup.part');
  await rm(file, { force: true });
  const full = new AbortController();
  const look = async () => {
    const room = await services.diskRoom?.look();
    if (room?.state === 'short') full.abort(new BackupError('the disk of the server is nearly full (DISK_RESERVE)'));
  };
  const timer = setInterval(() => void look(), lookEveryMs);
  const stop = AbortSignal.any([options.signal, full.signal]);
  try {
    await look();
    const summary = await intoNewFile(file, (sink) =>
      untilStopped(stop, sink, () => backUp({ database, services }, sink, options)),
    );
    const { size: bytes } = await stat(file);
    await take({ summary, bytes, content: createReadStream(file) });
  } finally {
    clearInterval(timer);
    await rm(file, { force: true });
  }
}

/** Does work that writes into a sink, which ends with the reason of the signal. */
export async function untilStopped<T>(stop: AbortSignal, sink: Writable, work: () => Promise<T>): Promise<T> {
  const end = () => sink.destroy(stop.reason instanceof Error ? stop.reason : new Error('the server is stopping'));
  if (stop.aborted) end();
  stop.addEventListener('abort', end, { once: true });
  try {
    return await work();
  } finally {
    stop.removeEventListener('abort', end);
  }
}

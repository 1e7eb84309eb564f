import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { newHolder } from '../../../core/lease.js';
import type { ScheduledBackups, Services } from '../../../services/services.js';
import { installationId } from '../storage/installation-id.js';
import { backUp } from './back-up.js';
import { intoNewFile } from './backup-file.js';
import {
  type BackupTurn,
  endBackupTurn,
  firstBackupTurn,
  keepBackupTurn,
  renewEveryMs,
  takeBackupTurn,
} from './backup-turns.js';
import { untilStopped } from './requested-backup.js';
import { backupName, isScheduledBackup, storeBackup } from './stored-backup.js';

const minute = 60_000;
/** An attempt that failed is repeated after this, twice as long each time, and an hour at most. */
const firstRetryMs = 5 * minute;
const longestRetryMs = 60 * minute;
const errorLength = 500;

/**
 * Makes the scheduled backup if its time has come, one replica at a time, and deletes the oldest scheduled ones of this
 * installation beyond those to keep. A failure is recorded, logged and repeated; one that a stop of the server ended is
 * none. Returns whether one was made.
 */
export async function backUpWhenDue(services: Services, signal: AbortSignal): Promise<boolean> {
  const { scheduledBackups: settings } = services;
  if (!settings) return false;
  const turn = await firstBackupTurn(services);
  if (!turn || !isDue(settings, turn, services.clock.now())) return false;
  const holder = newHolder();
  if (!(await takeBackupTurn(services, turn, holder))) return false;
  try {
    const { name, bytes } = await makeBackup(services, settings, holder, signal);
    await endBackupTurn(services, holder, {
      succeededAt: services.clock.now(),
      object: name,
      bytes,
      failures: 0,
      lastError: null,
    });
    services.log.info({ backup: name, bytes }, 'the scheduled backup was made');
    await deleteOldBackups(services, settings);
    return true;
  } catch (error) {
    if (signal.aborted) {
      await endBackupTurn(services, holder, { startedAt: turn.startedAt });
      return false;
    }
    const failures = turn.failures + 1;
    const lastError = (error instanceof Error ? error.message : String(error)).slice(0, errorLength);
    services.log.error({ err: error, failures }, 'the scheduled backup failed');
    await endBackupTurn(services, holder, { failures, lastError });
    return false;
  }
}

/** Whether a backup is due: by the schedule since the last attempt, or as the repetition of one that failed. */
function isDue({ line }: ScheduledBackups, { startedAt, createdAt, failures }: BackupTurn, now: Date): boolean {
  const since = startedAt ?? createdAt;
  const retryMs = failures === 0 ? Infinity : Math.min(firstRetryMs * 2 ** (failures - 1), longestRetryMs);
  if (startedAt !== null && now.getTime() >= startedAt.getTime() + retryMs) return true;
  const next = line.next(since);
  return next !== null && next <= now;
}

async function makeBackup(
  services: Services,
  settings: ScheduledBackups,
  holder: string,
  signal: AbortSignal,
): Promise<{ name: string; bytes: number }> {
  const { place, encryption, database, version, spool } = settings;
  const name = backupName({
    installation: await installationId(services),
    madeAt: services.clock.now(),
    isEncrypted: encryption !== null,
    isScheduled: true,
  });
  const lost = new AbortController();
  const timer = setInterval(() => {
    keepBackupTurn(services, holder).then(
      (isOurs) => isOurs || lost.abort(new Error('another process has taken this backup over')),
      () => undefined,
    );
  }, renewEveryMs);
  const stop = AbortSignal.any([signal, lost.signal]);
  const write = (sink: Writable) => untilStopped(stop, sink, () => backUp({ database, services }, sink, { version }));
  try {
    const store = (work: (sink: Writable) => Promise<unknown>) => storeBackup(place, name, work, { encryption });
    const { bytes } = await (spool === null ? store(write) : storeFromFile(spool, stop, write, store));
    return { name, bytes };
  } finally {
    clearInterval(timer);
  }
}

/**
 * Makes the backup in a file and stores it from there. The embedded database serves nobody while its rows are read:
 * that must not take as long as a network does.
 */
async function storeFromFile(
  folder: string,
  stop: AbortSignal,
  write: (sink: Writable) => Promise<unknown>,
  store: (write: (sink: Writable) => Promise<unknown>) => Promise<{ bytes: number }>,
): Promise<{ bytes: number }> {
  const file = join(folder, 'scheduled-backup.part');
  await rm(file, { force: true });
  try {
    await intoNewFile(file, write);
    const source = await open(file, 'r');
    try {
      return await store((sink) => pipeline(source.createReadStream({ autoClose: false }), sink, { signal: stop }));
    } finally {
      await source.close();
    }
  } finally {
    await rm(file, { force: true });
  }
}

/** What is too old goes only after a new one is whole. What cannot be deleted is logged and tried again next time. */
async function deleteOldBackups(services: Services, { place, keep }: ScheduledBackups): Promise<void> {
  const installation = await installationId(services);
  try {
    const names: string[] = [];
    for await (const { key } of place.list('')) if (isScheduledBackup(key, installation)) names.push(key);
    for (const name of names.sort().slice(0, -keep)) {
      await place.delete(name);
      services.log.info({ backup: name }, 'an old scheduled backup was deleted');
    }
  } catch (error) {
    services.log.warn({ err: error }, 'old scheduled backups could not be deleted');
  }
}

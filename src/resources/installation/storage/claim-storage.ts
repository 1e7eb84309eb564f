import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../../services/config-error.js';
import type { Services } from '../../../services/services.js';
import { ownedFrom } from '../../../domain/installation/stored-objects.js';
import { createMark, readMark, replaceMark, type StorageMark } from '../../../storage/mark.js';
import type { ObjectStorage } from '../../../storage/storage.js';
import { StorageError } from '../../../storage/storage.js';
import { installationId, nextStamp } from './installation-id.js';

type Installation = Pick<Services, 'db' | 'storage' | 'clock' | 'log'>;

const attempts = 5;
const pauseMs = 200;

/**
 * Compares the storage's mark with this installation's id, and marks a storage that has no mark: a new one, or that of
 * an installation from before there were marks. Called at each start, by any number of replicas at once. Throws
 * `ConfigError` for a storage of another installation, and `StorageError` for one that cannot be read, or not be
 * marked.
 */
export async function claimStorage(installation: Installation): Promise<void> {
  const { storage } = installation;
  const id = await installationId(installation);
  const mark = (await readMark(storage)) ?? (await markStorage(installation, id));
  if (!isOwn(mark, id)) throw foreignStorage(mark, id);
}

/**
 * Marks a storage as this installation's, even if another one owns it. The sweep leaves alone all objects it holds by
 * then. Returns the id of the former installation; null if the storage had no mark or this installation's, `unreadable`
 * if the mark cannot be read.
 */
export async function adoptStorage(installation: Installation): Promise<string | null> {
  const { storage, clock } = installation;
  const id = await installationId(installation);
  const former = await readMark(storage);
  if (former === null) await markStorage(installation, id);
  if (former === null || isOwn(former, id)) return null;
  const { stamp } = await nextStamp(installation, 0);
  await replaceMark(storage, { installationId: id, stamp, ownedSince: ownedFrom(clock.now()) });
  return former === 'unreadable' ? former : former.installationId;
}

/**
 * Looks again whether the storage is this installation's, and stamps it. Returns the mark; null, having changed
 * nothing, if the storage is another's. If the storage has seen a later stamp than the database, the database was
 * restored from a backup, or another copy of it uses the storage too: objects of before are then no longer taken for
 * this installation's.
 */
export async function confirmStorage(installation: Installation): Promise<StorageMark | null> {
  const { storage, clock, log } = installation;
  const id = await installationId(installation);
  const mark = (await readMark(storage)) ?? (await markStorage(installation, id));
  if (mark === 'unreadable' || mark.installationId !== id) return null;
  const { former, stamp } = await nextStamp(installation, mark.stamp);
  const lagsBehind = former < mark.stamp;
  if (lagsBehind)
    log.warn(
      { storage_stamp: mark.stamp, database_stamp: former },
      'the database is older than its storage: it was restored from a backup, or a copy of it uses the same ' +
        'storage. Stored bytes from before now are left alone',
    );
  const confirmed = { ...mark, stamp, ownedSince: lagsBehind ? ownedFrom(clock.now()) : mark.ownedSince };
  await replaceMark(storage, confirmed);
  return confirmed;
}

/**
 * Marks a storage without a mark. Of several servers that do so at once one is the first; returns the mark of that one.
 */
async function markStorage({ storage, clock, log }: Installation, id: string): Promise<StorageMark | 'unreadable'> {
  const isNew = await isEmpty(storage);
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const ownedSince = isNew ? null : ownedFrom(clock.now());
    const created = await createMark(storage, { installationId: id, stamp: 0, ownedSince });
    if (created)
      log.info({ installation: id, new_storage: isNew }, 'the storage was marked as that of this installation');
    // Read also after creating it: not every compatible service refuses to replace an object.
    const mark = await readMark(storage);
    if (mark !== null) return mark;
    await sleep(pauseMs);
  }
  throw new StorageError('unavailable', 'Storage does not keep the mark of its installation');
}

async function isEmpty(storage: ObjectStorage): Promise<boolean> {
  for await (const object of storage.list('organizations/')) if (object) return false;
  return true;
}

const isOwn = (mark: StorageMark | 'unreadable', id: string) => mark !== 'unreadable' && mark.installationId === id;

function foreignStorage(mark: StorageMark | 'unreadable', id: string): ConfigError {
  const whose =
    mark === 'unreadable'
      ? 'nobody can tell whose this storage is: its object installation.json cannot be read'
      : `this storage is that of another installation: it ` +
        `carries the id ${mark.installationId}, the database has ${id}`;
  return new ConfigError(
    [
      `STORAGE_URL: ${whose}.`,
      '  Two installations must not share one storage: each would delete what its database does not know.',
      '  Set STORAGE_URL (or DATA_DIR) to the storage of this database, or DATABASE_URL to the database of ' +
        'this storage.',
      '  If this database is to take the storage over, and no other server uses it any more, run: slipway ' +
        'adopt-storage',
    ].join('\n'),
  );
}

import { readFileSync, writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { OpenDatabase } from '../../src/database/open.js';
import { DiskStorage } from '../../src/storage/disk-storage.js';
import { readMark } from '../../src/storage/mark.js';
import type { ObjectStorage } from '../../src/storage/storage.js';
import type { Backup } from '../../src/resources/installation/backup/back-up.js';
import { backupFile, writeBackupFile } from '../../src/resources/installation/backup/backup-file.js';
import { verifyBackup } from '../../src/resources/installation/backup/verify.js';
import { claimStorage } from '../../src/resources/installation/storage/claim-storage.js';
import { checkSecretKeys } from '../../src/resources/installation/secret-keys/check.js';
import { populated } from '../parity/reads/populated-world.js';
import { BothSurfaces } from '../support/both-surfaces.js';
import { type Copy, Copies, digestsOfObjects, digestsOfRows, storeArtifacts } from './copies.js';

describe('a backup of an installation with one of everything', () => {
  let doors: BothSurfaces;
  let copies: Copies;
  let backup: Backup;
  let copy: Copy;

  beforeAll(async () => {
    copies = new Copies();
    doors = await BothSurfaces.open({ plan: 'enterprise' });
    await populated(doors);
    await storeArtifacts(doors.world);
    await checkSecretKeys(doors.world.services);
    backup = await copies.backUp(doors.world, 'backup');
    copy = await copies.restore(doors.world, 'backup');
  }, 120_000);
  afterAll(async () => {
    await copies.remove();
    await doors.close();
  });

  test('has every row of every table, and the counters behind them, when it is restored elsewhere', async () => {
    const before = await digestsOfRows(doors.world.services.db);
    expect(Object.values(before).filter((digest) => digest !== '').length).toBeGreaterThan(40);
    expect(await digestsOfRows(copy.database.db)).toEqual(before);
    const next = async ({ db }: Pick<OpenDatabase, 'db'>) =>
      (await sql<{ next: string }>`select nextval('events_ordinal_seq')::text as next`.execute(db)).rows[0]?.next;
    expect(await next(copy.database)).toBe(await next(doors.world.services));
  });

  test('has the bytes of logs and artifacts, and a storage that belongs to the installation', async () => {
    const { manifest, header } = await verifyBackup(backupFile(copies.path('backup')));
    expect(backup).toMatchObject({ missing: 0, damaged: 0, examples: [] });
    expect(manifest.objects.count).toBeGreaterThan(1);
    const objects = await digestsOfObjects(copy.storage);
    expect(Object.keys(objects)).toHaveLength(manifest.objects.count);
    expect(objects).toEqual(await digestsOfObjects(doors.world.services.storage));
    expect(await readMark(copy.storage)).toMatchObject({ installationId: header.installation, ownedSince: null });
    await claimStorage({ ...doors.world.services, db: copy.database.db, storage: copy.storage });
  });

  test('leaves no trigger of its tables off', async () => {
    const triggers = await sql<{
      off: string;
    }>`select tgname::text as off from pg_trigger where tgenabled = 'D'`.execute(copy.database.db);
    expect(triggers.rows).toEqual([]);
  });

  test('is refused by a database and by a storage that are not empty, with what to do', async () => {
    const { world } = doors;
    const { storage } = world.services;
    await expect(
      copies.restore(world, 'backup', { database: world.database, storage: new DiskStorage(copies.path('none')) }),
    ).rejects.toThrow(/the database is not empty: it has rows in .*set DATABASE_URL to an empty database/);
    const { database } = await copies.empty('unused');
    const mark = (await readMark(storage)) === null;
    await storage.put('installation.json', Buffer.from('{}'));
    await expect(copies.restore(world, 'backup', { database, storage })).rejects.toThrow(
      /the storage is that of another installation/,
    );
    if (mark) await storage.delete('installation.json');
    await expect(copies.restore(world, 'backup', { database, storage })).rejects.toThrow(
      /the storage is not empty: it has organizations/,
    );
  });

  test('is refused with another secret key before anything is changed, and says how to bring the right one', async () => {
    const target = await copies.empty('other key');
    const services = {
      ...doors.world.services,
      secretKey: { current: 'another-secret-key-that-is-long', previous: null },
    };
    await expect(copies.restore({ ...doors.world, services } as never, 'backup', target)).rejects.toThrow(
      /SECRET_KEY: not the key of this backup[^]*the file secret-key in its DATA_DIR/,
    );
    expect(await readMark(target.storage)).toBeNull();
  });

  test('goes on with a restore that ended among the objects', async () => {
    const { database, storage } = await copies.empty('interrupted');
    let stored = 0;
    const failing = Object.assign(Object.create(storage) as ObjectStorage, {
      put: (...put: Parameters<ObjectStorage['put']>) => {
        if ((stored += 1) > 1) throw new Error('the disk is away');
        return storage.put(...put);
      },
    });
    await expect(copies.restore(doors.world, 'backup', { database, storage: failing })).rejects.toThrow(
      'the disk is away',
    );
    expect((await digestsOfRows(database.db))['builds']).toBe('');
    await copies.restore(doors.world, 'backup', { database, storage });
    expect(await digestsOfRows(database.db)).toEqual(await digestsOfRows(doors.world.services.db));
  });

  test('holds what waited to be sent to others, unless it is to be sent', async () => {
    const { db } = doors.world.services;
    const pending = () =>
      db.selectFrom('notification_deliveries').select('id').where('state', '=', 'pending').execute();
    if ((await pending()).length === 0)
      await db.updateTable('notification_deliveries').set({ state: 'pending' }).execute();
    expect((await pending()).length).toBeGreaterThan(0);
    await copies.backUp(doors.world, 'with pending');
    const held = await copies.restore(doors.world, 'with pending', undefined, { sendsPending: false });
    const rows = await held.database.db.selectFrom('notification_deliveries').select(['state', 'lastError']).execute();
    expect(rows.filter(({ state }) => state === 'pending')).toEqual([]);
    expect(rows.some(({ lastError }) => lastError?.startsWith('restored from a backup'))).toBe(true);
    const due = await held.database.db
      .selectFrom('commit_statuses')
      .select('context')
      .where('nextAttemptAt', 'is not', null)
      .execute();
    expect(due).toEqual([]);
  });

  test.each([
    ['was cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 20_000)],
    ['has another bit among its rows', (bytes: Buffer) => flipped(bytes, bytes.indexOf('tables/builds/') + 600)],
    ['has another bit in an artifact', (bytes: Buffer) => flipped(bytes, bytes.indexOf('bytes of ') + 600)],
    ['is something else', () => Buffer.from('not a backup'.repeat(1000))],
  ])('is refused if its file %s', async (_name, change) => {
    const broken = copies.path('broken');
    writeFileSync(broken, change(readFileSync(copies.path('backup'))));
    await expect(verifyBackup(backupFile(broken))).rejects.toThrow(/^the backup is/);
  });

  test('never replaces a file, and leaves none under its name if it fails', async () => {
    await expect(copies.backUp(doors.world, 'backup')).rejects.toThrow(/exists already/);
    await expect(copies.backUp(doors.world, 'no folder/backup')).rejects.toThrow(/ENOENT/);
    const failed = copies.path('failed');
    await expect(writeBackupFile(failed, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(() => readFileSync(failed)).toThrow(/ENOENT/);
  });
});

function flipped(bytes: Buffer, place: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[place] = (copy[place] ?? 0) ^ 1;
  return copy;
}

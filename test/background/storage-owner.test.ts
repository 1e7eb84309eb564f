import { text } from 'node:stream/consumers';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../../src/services/config-error.js';
import { adoptStorage, claimStorage, confirmStorage } from '../../src/resources/installation/storage/claim-storage.js';
import { sweepWhenDue } from '../../src/resources/installation/storage/sweep-storage.js';
import type { Services } from '../../src/services/services.js';
import { DiskStorage } from '../../src/storage/disk-storage.js';
import { markKey, readMark } from '../../src/storage/mark.js';
import { S3Storage } from '../../src/storage/s3-storage.js';
import { StorageError, type ObjectStorage } from '../../src/storage/storage.js';
import { S3Server } from '../storage/s3-server.js';
import { temporaryDirectory } from '../support/directory.js';
import { sweepWholeStorage } from '../support/sweep-storage.js';
import { World } from '../support/world.js';

const hourMs = 3_600_000;
const id = (digits: string) => `00000000-0000-7000-8000-${digits.padStart(12, '0')}`;
/** A chunk of a log of which no database knows. */
const chunk = (name: string) => `organizations/${id('1')}/builds/${id('2')}/jobs/${id('3')}/log/chunks/${name}.gz`;

describe('whose a storage is', () => {
  let [ours, theirs]: World[] = [];
  beforeAll(async () => {
    ours = await World.create({ startAt: new Date() });
    theirs = await World.create({ startAt: new Date() });
  });
  afterAll(async () => {
    await ours?.close();
    await theirs?.close();
  });

  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  const openDisk = () => {
    const directory = temporaryDirectory();
    closing.push(() => directory.remove());
    return { storage: new DiskStorage(directory.path) as ObjectStorage, path: directory.path };
  };
  const openBucket = async (): Promise<ObjectStorage> => {
    const server = new S3Server();
    const endpoint = await server.start();
    closing.push(() => server.stop());
    const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
    return new S3Storage({ bucket: 'bucket', prefix: 'slipway', region: 'us-east-1', endpoint, credentials });
  };
  /** An installation on a storage, with what it logs as warnings and errors. */
  const on = (world: World | undefined, storage: ObjectStorage) => {
    if (!world) throw new Error('there is no world');
    const logged: string[] = [];
    const note = (_fields: object, message: string) => void logged.push(message);
    return {
      services: { ...world.services, storage, log: { ...world.services.log, warn: note, error: note } },
      logged,
    };
  };
  const later = (services: Services, hours: number): Services => ({
    ...services,
    clock: { ...services.clock, now: () => new Date(Date.now() + hours * hourMs) },
  });
  const keys = async (storage: ObjectStorage) => {
    const all: string[] = [];
    for await (const { key } of storage.list('')) all.push(key);
    return all;
  };

  test.each(['disk', 'bucket'])(
    'on a %s many replicas that start at once mark the storage once, and another installation is refused',
    async (kind) => {
      const storage = kind === 'disk' ? openDisk().storage : await openBucket();
      await Promise.all(Array.from({ length: 8 }, () => claimStorage(on(ours, storage).services)));
      const before = await storage.get(markKey).then((body) => body && text(body));
      const refused = await claimStorage(on(theirs, storage).services).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(ConfigError);
      expect((refused as Error).message).toMatch(
        /^STORAGE_URL: this storage is that of another installation: .*\n(.*\n)*.*run: slipway adopt-storage$/,
      );
      expect(await storage.get(markKey).then((body) => body && text(body))).toBe(before);
      await claimStorage(on(ours, storage).services);
    },
  );

  test('of two installations that start at once on a new storage one has it, and the other is refused', async () => {
    const { storage } = openDisk();
    const outcomes = await Promise.allSettled(
      [ours, theirs, ours, theirs].map((world) => claimStorage(on(world, storage).services)),
    );
    const [first, second, third, fourth] = outcomes.map(({ status }) => status);
    expect([first, second].sort()).toEqual(['fulfilled', 'rejected']);
    expect([third, fourth]).toEqual([first, second]);
  });

  test('a server whose storage another installation has taken over sweeps nothing of it, and says so once an hour', async () => {
    const { storage } = openDisk();
    const former = on(ours, storage);
    await claimStorage(former.services);
    await storage.put(chunk('stray'), Buffer.from('x'));
    const { installationId } = (await readMark(storage)) as { installationId: string };
    expect(await adoptStorage(on(theirs, storage).services)).toBe(installationId);
    expect(await adoptStorage(on(theirs, storage).services)).toBeNull();
    const services = later(former.services, 30 * 24);
    expect([await sweepWhenDue(services), await sweepWhenDue(services)]).toEqual(['foreign', 'foreign']);
    expect(services.isStorageForeign).toBe(true);
    expect(former.logged).toEqual(['the storage is that of another installation: nothing of it is swept']);
    expect(await keys(storage)).toEqual([markKey, chunk('stray')]);
    await expect(claimStorage(services)).rejects.toThrow('this storage is that of another installation');
    await claimStorage(on(theirs, storage).services);
  });

  test('what a storage held before it was marked is left alone, and what came later is swept', async () => {
    const { storage, path } = openDisk();
    await storage.put(chunk('before'), Buffer.from('x'));
    const { services } = on(ours, storage);
    await claimStorage(services);
    await storage.put(chunk('since'), Buffer.from('x'));
    const since = new Date(Date.now() + 2 * hourMs);
    await utimes(join(path, chunk('since')), since, since);
    expect(await sweepWholeStorage(later(services, 30 * 24))).toMatchObject({ quarantined: 1, unproven: 1 });
    expect(await storage.stat(chunk('before'))).not.toBeNull();
    expect(await storage.stat(chunk('since'))).toBeNull();
  });

  test('a database that is older than its storage sweeps nothing from before it was restored', async () => {
    const { storage } = openDisk();
    const { services, logged } = on(ours, storage);
    await claimStorage(services);
    await confirmStorage(services);
    const backup = await services.db.selectFrom('installations').selectAll().executeTakeFirstOrThrow();
    await confirmStorage(services);
    await storage.put(chunk('since-the-backup'), Buffer.from('x'));
    await services.db.updateTable('installations').set({ storageStamp: backup.storageStamp }).execute();
    expect(logged).toEqual([]);
    expect(await sweepWholeStorage(services)).toMatchObject({ quarantined: 0 });
    expect(logged).toEqual([expect.stringMatching(/^the database is older than its storage/)]);
    expect(await sweepWholeStorage(later(services, 30 * 24))).toMatchObject({ quarantined: 0, unproven: 1 });
    expect(await storage.stat(chunk('since-the-backup'))).not.toBeNull();
  });

  test('two copies of one database on one storage find each other out, and neither sweeps', async () => {
    const { storage } = openDisk();
    const { services } = on(ours, storage);
    await claimStorage(services);
    await storage.put(chunk('of-one-copy'), Buffer.from('x'));
    const { installationId } = await services.db.selectFrom('installations').selectAll().executeTakeFirstOrThrow();
    const copy = on(theirs, storage);
    await copy.services.db.updateTable('installations').set({ installationId, storageStamp: 0 }).execute();
    for (let turns = 0; turns < 3; turns += 1) {
      await confirmStorage(services);
      await confirmStorage(copy.services);
    }
    for (const each of [services, copy.services])
      expect(await sweepWholeStorage(later(each, 30 * 24))).toMatchObject({ quarantined: 0 });
    expect(copy.logged.length).toBeGreaterThan(0);
    await copy.services.db.deleteFrom('installations').execute();
  });

  test('a mark that nobody can read is refused, and replaced when the storage is adopted', async () => {
    const { storage } = openDisk();
    const { services } = on(ours, storage);
    for (const content of [
      '',
      '{',
      '{"installation":1,"stamp":0,"owned_since":null}',
      '{"installation":"x","stamp":0}',
    ]) {
      await storage.put(markKey, Buffer.from(content));
      await expect(claimStorage(services)).rejects.toThrow('its object installation.json cannot be read');
    }
    expect(await adoptStorage(services)).toBe('unreadable');
    await claimStorage(services);
  });

  test('a storage that only reads is accepted if it carries the mark, and is an error of the storage if not', async () => {
    const { storage } = openDisk();
    const full = () => Promise.reject(new StorageError('full', 'No space left in storage'));
    const readOnly = Object.create(storage, { put: { value: full }, putIfAbsent: { value: full } }) as ObjectStorage;
    await expect(claimStorage(on(ours, readOnly).services)).rejects.toBeInstanceOf(StorageError);
    await claimStorage(on(ours, storage).services);
    await claimStorage(on(ours, readOnly).services);
    await expect(claimStorage(on(theirs, readOnly).services)).rejects.toBeInstanceOf(ConfigError);
  });
});

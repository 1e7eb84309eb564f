import { readdirSync, rmSync } from 'node:fs';
import request from 'supertest';
import { readCronLine } from '../../src/domain/pipelines/cron/cron-line.js';
import { readBackupTurn } from '../../src/resources/installation/backup/backup-turns.js';
import { backUpWhenDue } from '../../src/resources/installation/backup/scheduled-backup.js';
import { storedBackup } from '../../src/resources/installation/backup/stored-backup.js';
import { verifyBackup } from '../../src/resources/installation/backup/verify.js';
import { claimStorage } from '../../src/resources/installation/storage/claim-storage.js';
import { checkSecretKeys } from '../../src/resources/installation/secret-keys/check.js';
import { createApplication } from '../../src/server/application.js';
import type { ScheduledBackups, Services } from '../../src/services/services.js';
import { DiskStorage } from '../../src/storage/disk-storage.js';
import type { ObjectStorage } from '../../src/storage/storage.js';
import { finishedBuild } from '../check/damages.js';
import { onPostgres, temporaryDirectory } from '../support/database.js';
import { World } from '../support/world.js';

const day = 24 * 3600;

describe('scheduled backups', () => {
  const directory = temporaryDirectory();
  let world: World;
  let services: Services;
  let settings: ScheduledBackups;
  const never = new AbortController().signal;
  const names = () =>
    readdirSync(`${directory.path}/backups`)
      .filter((name) => name.endsWith('.tar'))
      .sort();
  const state = () => readBackupTurn(services);

  beforeEach(async () => {
    world = await World.create();
    await checkSecretKeys(world.services);
    await claimStorage(world.services);
    const line = readCronLine('0 3 * * *');
    if (!line.ok) throw new Error(line.message);
    settings = {
      line: line.line,
      place: new DiskStorage(`${directory.path}/backups`),
      keep: 2,
      encryption: null,
      database: world.database,
      version: '0.0.0',
      spool: directory.path,
    };
    services = { ...world.services, scheduledBackups: settings };
  });
  afterEach(async () => {
    await world.close();
    rmSync(`${directory.path}/backups`, { recursive: true, force: true });
  });
  afterAll(() => directory.remove());

  const readiness = async () => {
    const app = createApplication(services, [], { metrics: true, isMigrated: async () => true, processes: undefined });
    const { body, status } = await request(app).get('/readyz');
    const { text } = await request(app).get('/metrics');
    return { status, backup: body.backup, message: body.message as string, metrics: text };
  };

  test('are made at their time, by one replica, and of those of the schedule the newest are kept', async () => {
    await finishedBuild(world);
    expect(await backUpWhenDue(services, never)).toBe(false);
    world.clock.advance(day);
    const made = await Promise.all([backUpWhenDue(services, never), backUpWhenDue({ ...services }, never)]);
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await backUpWhenDue(services, never)).toBe(false);
    const [first = ''] = names();
    expect(first).toMatch(/^slipway-[0-9a-f]{8}-20260103T030405Z\.scheduled\.tar$/);
    const { manifest } = await verifyBackup(storedBackup(settings.place, first));
    expect(manifest.objects.count).toBe(2);
    expect(await state()).toMatchObject({ object: first, failures: 0, lastError: null, leasedUntil: null });

    const byHand = 'slipway-00000000-20250101T000000Z.tar';
    await settings.place.put(byHand, Buffer.from('made by hand'));
    for (let count = 0; count < 2; count += 1) {
      world.clock.advance(day);
      expect(await backUpWhenDue(services, never)).toBe(true);
    }
    expect(names()).toHaveLength(3);
    expect(names()).not.toContain(first);
    expect(names()).toContain(byHand);
    expect(readdirSync(directory.path)).not.toContain('scheduled-backup.part');
    expect(await readiness()).toMatchObject({ status: 200, backup: 'ok', message: 'Everything can be used' });
  });

  test('that fail are said on /readyz, which stays 200, and in metrics, and are tried again until one is whole', async () => {
    await backUpWhenDue(services, never);
    world.clock.advance(day);
    const { place } = settings;
    settings.place = Object.assign(Object.create(place) as ObjectStorage, {
      put: () => Promise.reject(new Error('the bucket is away')),
    });
    expect(await backUpWhenDue(services, never)).toBe(false);
    expect(await state()).toMatchObject({ failures: 1, lastError: 'the bucket is away', leasedUntil: null });
    expect(await readiness()).toMatchObject({
      status: 200,
      backup: 'failed',
      message: 'Everything can be used, but the scheduled backup failed: the log says why',
      metrics: expect.stringMatching(/^slipway_backup_failures 1$/m),
    });
    world.clock.advance(60);
    expect(await backUpWhenDue(services, never)).toBe(false);
    expect(await state()).toMatchObject({ failures: 1 });
    world.clock.advance(5 * 60);
    settings.place = place;
    expect(await backUpWhenDue(services, never)).toBe(true);
    expect(await state()).toMatchObject({ failures: 0, lastError: null });
    expect((await readiness()).metrics).toMatch(/^slipway_backup_failures 0$/m);
    expect((await readiness()).metrics).toMatch(/^slipway_backup_last_success_timestamp_seconds 1767\d+/m);
  });

  test('are given up by a server that stops, and made by the next one; one that died is waited for', async () => {
    await backUpWhenDue(services, never);
    world.clock.advance(day);
    const stopping = new AbortController();
    const { storage } = services;
    await finishedBuild(world);
    const slow = Object.assign(Object.create(storage) as ObjectStorage, {
      stat: async (key: string) => {
        stopping.abort();
        return storage.stat(key);
      },
    });
    expect(await backUpWhenDue({ ...services, storage: slow }, stopping.signal)).toBe(false);
    expect(await state()).toMatchObject({ failures: 0, startedAt: null, leasedUntil: null });

    // As if a process had begun one, and died.
    const soon = new Date(world.clock.now().getTime() + 60_000);
    await services.db.updateTable('scheduled_backups').set({ leasedBy: 'another', leasedUntil: soon }).execute();
    expect(await backUpWhenDue(services, never)).toBe(false);
    world.clock.advance(61);
    expect(await backUpWhenDue(services, never)).toBe(true);

    // The embedded database belongs to one process: the one that began has died.
    world.clock.advance(day);
    const later = new Date(world.clock.now().getTime() + 60_000);
    await services.db
      .updateTable('scheduled_backups')
      .set({ leasedBy: 'the-process-before:1', leasedUntil: later })
      .execute();
    expect(await backUpWhenDue(services, never)).toBe(!onPostgres);
  });
});

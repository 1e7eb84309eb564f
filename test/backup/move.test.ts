import { join } from 'node:path';
import { openDatabase } from '../../src/database/open.js';
import { moveDatabase } from '../../src/resources/installation/move/move-database.js';
import { claimStorage } from '../../src/resources/installation/storage/claim-storage.js';
import { checkSecretKeys } from '../../src/resources/installation/secret-keys/check.js';
import { populated } from '../parity/reads/populated-world.js';
import { BothSurfaces } from '../support/both-surfaces.js';
import { freshDatabase, temporaryDirectory } from '../support/database.js';
import { digestsOfRows } from './copies.js';

/** On PostgreSQL the way goes to the embedded database and back, on the embedded database to another one. */
describe('a move to another database', () => {
  const directory = temporaryDirectory();
  let doors: BothSurfaces;
  beforeAll(async () => {
    doors = await BothSurfaces.open({ plan: 'enterprise' });
    await populated(doors);
    await checkSecretKeys(doors.world.services);
    await claimStorage(doors.world.services);
  }, 120_000);
  afterAll(async () => {
    await doors.close();
    directory.remove();
  });

  test('and back leaves every row of every table as it was, and the storage with the database that it belongs to', async () => {
    const { services, database } = doors.world;
    const before = await digestsOfRows(services.db);
    const there = await openDatabase({ dataDir: join(directory.path, 'data') });
    const back = await freshDatabase();
    try {
      const moved = await moveDatabase({ database, services }, there);
      expect(moved.rows).toBeGreaterThan(100);
      expect(await digestsOfRows(there.db)).toEqual(before);
      await claimStorage({ ...services, db: there.db });
      await expect(claimStorage(services)).rejects.toThrow(/this storage is that of another installation/);
      await moveDatabase({ database: there, services: { ...services, db: there.db } }, back);
      expect(await digestsOfRows(back.db)).toEqual(before);
      await claimStorage({ ...services, db: back.db });
    } finally {
      await back.close();
      await there.close();
    }
  }, 120_000);

  test('is refused while a server runs, and to a database with rows', async () => {
    const { services, database } = doors.world;
    await expect(moveDatabase({ database, services }, database)).rejects.toThrow(
      /the database to move to is not empty: it has rows in .*Name an empty one/,
    );
    await services.db.updateTable('listening_clocks').set({ lookedAt: new Date() }).execute();
    await expect(moveDatabase({ database, services }, database)).rejects.toThrow(/a server used this database 0 s ago/);
  });
});

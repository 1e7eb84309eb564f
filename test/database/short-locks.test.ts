import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { lastReleased } from '../../src/database/former-release.js';
import { migrate } from '../../src/database/migrate.js';
import { openDatabase } from '../../src/database/open.js';
import { migrationNames } from '../../src/migrations/registry.js';
import { ownDatabase } from '../replicas/evidence.js';
import { describeOnPostgres } from '../support/database.js';

describeOnPostgres('migrations of a database in use', () => {
  test('wait for a table that somebody holds without holding up others, and go on once it is free', async () => {
    const own = await ownDatabase(process.env['TEST_DATABASE_URL'] ?? '', `slipway_locks_${process.pid}_${Date.now()}`);
    const operator = () => new pg.Client({ connectionString: own.url, application_name: 'operator' });
    const clients = [operator(), operator()] as const;
    const database = await openDatabase({ databaseUrl: own.url, dataDir: '' });
    try {
      await migrate(database, { upTo: migrationNames.filter((name) => name <= lastReleased) });
      const [holder, reader] = clients;
      await Promise.all(clients.map((client) => client.connect()));
      await holder.query('begin');
      await holder.query('lock table jobs in access share mode');
      const waits: number[] = [];
      const migrated = migrate(database, { waiting: (seconds) => waits.push(seconds) });
      await vi.waitFor(() => expect(waits.length).toBeGreaterThan(1), { timeout: 20_000 });
      // Behind a migration that waits without an end they would wait for ever.
      for (let reads = 0; reads < 10; reads += 1) {
        await reader.query('select count(*) from jobs');
        await sleep(50);
      }
      await holder.query('commit');
      expect(await migrated).toEqual(migrationNames.filter((name) => name > lastReleased));
    } finally {
      await Promise.all(clients.map((client) => client.end()));
      await database.close();
      await own.drop();
    }
  });
});

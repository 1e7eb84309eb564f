import { sql } from 'kysely';
import pg from 'pg';
import { compiled } from '../../src/database/compiled.js';
import { openDatabase } from '../../src/database/open.js';
import { inTransaction } from '../../src/database/transaction.js';
import { ownDatabase } from '../replicas/evidence.js';
import { describeOnPostgres } from '../support/database.js';

/** More than a transaction has tries. */
const connections = 6;

describeOnPostgres('prepared statements whose table a newer release changes', () => {
  const named = compiled<object, { id: number }>('outdated-statements-test', () => sql`select * from "things"`);

  test.each([
    [
      'in transactions',
      (database: Awaited<ReturnType<typeof openDatabase>>) =>
        inTransaction(database.db, 'test', (trx) => named(trx, {})),
    ],
    ['outside of transactions', (database: Awaited<ReturnType<typeof openDatabase>>) => named(database.db, {})],
  ])('are prepared again, however many connections have them: %s', async (_where, read) => {
    const own = await ownDatabase(
      process.env['TEST_DATABASE_URL'] ?? '',
      `slipway_outdated_${process.pid}_${Date.now()}`,
    );
    const operator = new pg.Client(own.url);
    const watcher = new pg.Client(own.url);
    await Promise.all([operator.connect(), watcher.connect()]);
    const database = await openDatabase({ databaseUrl: own.url, dataDir: '', poolSize: 10 });
    const all = () => Promise.all(Array.from({ length: connections }, () => read(database)));
    try {
      await operator.query('create table things (id int); insert into things values (1)');
      // So that each of them is on a connection of its own.
      await operator.query('begin; lock table things');
      const first = all();
      const blocked = `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await vi.waitFor(async () => {
        const { rows } = await watcher.query<{ count: number }>(blocked);
        expect(rows[0]?.count).toBe(connections);
      });
      await operator.query('commit');
      expect(await first).toEqual(Array.from({ length: connections }, () => [{ id: 1 }]));

      await operator.query('alter table things add column name text');
      expect(await read(database)).toEqual([{ id: 1, name: null }]);
      expect(await all()).toEqual(Array.from({ length: connections }, () => [{ id: 1, name: null }]));
    } finally {
      await Promise.all([operator.end(), watcher.end()]);
      await database.close();
      await own.drop();
    }
  });
});

import { sql } from 'kysely';
import { boundWal } from '../../src/background/upkeep/bound-wal.js';
import type { OpenDatabase } from '../../src/database/open.js';
import { describeOnEmbedded, describeOnPostgres, freshDatabase } from '../support/database.js';

let database: OpenDatabase;
beforeAll(async () => void (database = await freshDatabase()));
afterAll(() => database.close());

const megabytes = async () =>
  Number(
    (await sql<{ mb: string }>`select sum(size) / 1024 / 1024 as mb from pg_ls_waldir()`.execute(database.db)).rows[0]
      ?.mb,
  );

/** Writes 16 MB and more to the log. */
const write = () =>
  sql`select pg_logical_emit_message(false, 'test', repeat('x', 1024 * 1024)) from generate_series(1, 17)`.execute(
    database.db,
  );

describeOnEmbedded('the write-ahead log of an embedded database', () => {
  test('the log does not grow with all that is ever written', async () => {
    for (let time = 0; time < 20; time += 1) {
      await write();
      await boundWal(database);
    }
    expect(await megabytes()).toBeLessThan(200);
    await sql`checkpoint`.execute(database.db);
    expect(await boundWal(database)).toBe(false);
  });
});

describeOnPostgres('the write-ahead log of PostgreSQL', () => {
  test('checkpoints are left to PostgreSQL', async () => {
    expect(await boundWal(database)).toBe(false);
  });
});

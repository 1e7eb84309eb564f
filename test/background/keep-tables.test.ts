import { sql } from 'kysely';
import { keepTables } from '../../src/background/upkeep/keep-tables.js';
import type { OpenDatabase } from '../../src/database/open.js';
import { describeOnEmbedded, describeOnPostgres, freshDatabase } from '../support/database.js';

let database: OpenDatabase;
beforeAll(async () => void (database = await freshDatabase()));
afterAll(() => database.close());

const addUsers = (count: number) =>
  sql`insert into users (id, email, name, created_at)
    select gen_random_uuid(), 'user-' || gen_random_uuid() || '@example.com', 'User ' || n, now() from generate_series(1, ${count}::int) n`.execute(
    database.db,
  );

/** A round once the database has counted what was changed, which it does every second otherwise. */
async function round(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(database.db);
  return keepTables(database);
}

/** Rounds until nothing is left to do: the database is that of other tests too, whose tables have changed much. */
async function allRounds(): Promise<void> {
  for (let time = 0; time < 50; time += 1) if ((await round()) === 0) return;
  throw new Error('the tables do not come to rest');
}

async function users() {
  const { rows } = await sql<{ known: number; bytes: string }>`
    select reltuples as known, pg_relation_size(oid)::text as bytes from pg_class where relname = 'users'`.execute(
    database.db,
  );
  return { known: rows[0]?.known, bytes: Number(rows[0]?.bytes) };
}

describeOnEmbedded('the tables of an embedded database', () => {
  test('a table that has grown is analyzed, so that plans are made for what it is, and then left alone', async () => {
    await allRounds();
    await addUsers(3_000);
    expect(await round()).toBe(1);
    expect((await users()).known).toBe(3_000);
    expect(await round()).toBe(0);
    await addUsers(20);
    expect(await round()).toBe(0);
  });

  test('a table whose rows are changed again and again does not grow', async () => {
    await allRounds();
    const change = () => sql`update users set name = name || '.'`.execute(database.db);
    for (let time = 0; time < 2; time += 1) {
      await change();
      expect(await round()).toBeGreaterThan(0);
    }
    const { bytes } = await users();
    for (let time = 0; time < 5; time += 1) {
      await change();
      await round();
    }
    expect((await users()).bytes).toBeLessThanOrEqual(bytes * 1.5);
  });
});

describeOnPostgres('the tables of PostgreSQL', () => {
  test('are left to its autovacuum', async () => {
    await addUsers(3_000);
    expect(await keepTables(database)).toBe(0);
  });
});

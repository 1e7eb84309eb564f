import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AbstractSqlConnection } from '@mikro-orm/sql';
import { Migration } from '@mikro-orm/migrations';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { lastReleased } from '../../src/database/former-release.js';
import { migrate } from '../../src/database/migrate.js';
import { openDatabase, type OpenDatabase } from '../../src/database/open.js';
import { OnlineIndexMigration } from '../../src/migrations/online-index-migration.js';
import { loadMigrations, type NamedMigration } from '../../src/migrations/registry.js';
import { clonePostgres, describeOnPostgres, freshDatabase } from '../support/database.js';

class AddNote extends Migration {
  override up(): void {
    this.addSql('alter table "emojis_of_test" add "note" text null');
  }
}

class MakeTable extends Migration {
  override up(): void {
    this.addSql('create table "emojis_of_test" ("name" text not null)');
  }
}

class IndexNames extends OnlineIndexMigration {
  readonly indexes = [
    { name: 'emojis_of_test_name_unique', table: 'emojis_of_test', definition: '("name")', unique: true },
  ];
}

const makeTable = { name: '29990101000000-make-table', class: MakeTable };
const addNote = { name: '29990101000001-add-note', class: AddNote };
const indexNames = { name: '29990101000002-index-names', class: IndexNames };

const migrations = await loadMigrations();

test('migrations after the first release build indexes on existing tables without locking them', () => {
  for (const { name } of migrations.filter(({ name }) => name > '20261122')) {
    const [source = ''] = readFileSync(join('src/migrations', `${name}.ts`), 'utf8').split('override down');
    const made = new Set([...source.matchAll(/create (?:unlogged )?table "(\w+)"/g)].map(([, table]) => table));
    const locked = [...source.matchAll(/create (?:unique )?index "\w+" on "(\w+)"/g)].filter(
      ([, table]) => !made.has(table),
    );
    expect([name, locked.map(([statement]) => statement)]).toEqual([name, []]);
  }
});

test('a database migrated by a newer program is refused, with the newest migration that each side knows, unless that program goes on beside this one', async () => {
  const database = await freshDatabase();
  const needs = (name: string) =>
    sql`insert into schema_compatibility (name, oldest_migration) values ('this', ${name})
      on conflict (name) do update set oldest_migration = excluded.oldest_migration`.execute(database.db);
  try {
    await sql`insert into slipway_migrations (name) values ('29990101000000-later')`.execute(database.db);
    const newest = migrations.at(-1)?.name ?? '';
    await needs(newest);
    expect(await migrate(database)).toEqual([]);
    await sql`delete from slipway_migrations where name = ${newest}`.execute(database.db);
    await expect(migrate(database)).rejects.toThrow('the database is newer than this program');
    await sql`insert into slipway_migrations (name) values (${newest})`.execute(database.db);
    await needs('29990101000000-later');
    await expect(migrate(database)).rejects.toThrow(
      `the database is newer than this program: it has the migration 29990101000000-later, and the newest that this program knows is ${newest}.`,
    );
  } finally {
    await needs(lastReleased);
    await sql`delete from slipway_migrations where name = '29990101000000-later'`.execute(database.db);
    await database.close();
  }
});

describeOnPostgres('migrations on PostgreSQL', () => {
  let cloned: OpenDatabase & { url: string };
  let client: pg.Client;
  const opened: OpenDatabase[] = [];
  beforeEach(async () => {
    cloned = await clonePostgres(process.env['TEST_DATABASE_URL'] ?? '');
    client = new pg.Client({ connectionString: cloned.url });
    client.on('error', () => undefined);
    await client.connect();
  });
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
    await client.end();
    await cloned.close();
  });

  const open = async (...more: NamedMigration[]) => {
    const database = await openDatabase({
      databaseUrl: cloned.url,
      dataDir: '',
      poolSize: 4,
      migrations: [...migrations, ...more],
    });
    opened.push(database);
    return database;
  };
  const until = async (isTrue: () => Promise<boolean>) => {
    for (
      const deadline = Date.now() + 15_000;
      !(await isTrue());
      await new Promise((resolve) => setTimeout(resolve, 20))
    ) {
      if (Date.now() > deadline) throw new Error('it did not come to that');
    }
  };

  test('migrations run without the time limits of requests', async () => {
    const connection = (await (await open()).openOrm()).em
      .getDriver()
      .getConnection() as unknown as AbstractSqlConnection;
    const shown =
      await sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`.execute(
        connection.getClient<never>() as unknown as Kysely<never>,
      );
    expect(shown.rows).toEqual([{ statement: '0', lock: '0' }]);
  });

  test('each migration runs in its own transaction, so those before a failing one remain', async () => {
    await client.query('create table "emojis_of_test" ("note" text)');
    await expect(migrate(await open(addNote, makeTable))).rejects.toThrow('already exists');
    const { rows } = await client.query<{ name: string }>(
      'select name from slipway_migrations order by id desc limit 1',
    );
    expect(rows).toEqual([{ name: migrations.at(-1)?.name }]);
    await client.query('alter table "emojis_of_test" drop "note"');
    await expect(migrate(await open(addNote, makeTable))).rejects.toThrow('already exists');
    expect(
      (await client.query<{ name: string }>('select name from slipway_migrations order by id desc limit 1')).rows,
    ).toEqual([{ name: addNote.name }]);
  });

  test('a process waits for another one that is migrating, reports it, and then runs the remaining migrations', async () => {
    await client.query('select pg_advisory_lock(7501923)');
    let waits = 0;
    const migrating = migrate(await open(makeTable), { waiting: () => (waits += 1), progressEveryMs: 50 });
    await until(async () => waits > 1);
    await client.query('select pg_advisory_unlock(7501923)');
    expect(await migrating).toEqual([makeTable.name]);
  });

  test('replicas that start together run each migration once', async () => {
    const replicas = await Promise.all([open(makeTable, addNote), open(makeTable, addNote), open(makeTable, addNote)]);
    const ran = await Promise.all(replicas.map((database) => migrate(database)));
    expect(ran.flat().sort()).toEqual([makeTable.name, addNote.name]);
  });

  test('an index is built while the table is being written to', async () => {
    await migrate(await open(makeTable));
    await client.query('begin');
    await client.query(`insert into "emojis_of_test" values ('a')`);
    const indexing = migrate(await open(makeTable, indexNames));
    const other = new pg.Client({ connectionString: cloned.url });
    await other.connect();
    try {
      // The build waits for the transaction that is open; a lock of the table would make all other writers wait for it.
      await until(
        async () =>
          (
            await other.query(
              `select 1 from pg_stat_activity where datname = current_database() and query like 'create unique index concurrently%' and wait_event_type = 'Lock'`,
            )
          ).rowCount === 1,
      );
      await other.query(`set lock_timeout = '2s'`);
      await other.query(`insert into "emojis_of_test" values ('b')`);
    } finally {
      await other.end();
    }
    await client.query('commit');
    expect(await indexing).toEqual([indexNames.name]);
  });

  test('an index whose build was interrupted is dropped and built again', async () => {
    await migrate(await open(makeTable));
    await client.query(`insert into "emojis_of_test" values ('a'), ('a')`);
    await expect(migrate(await open(makeTable, indexNames))).rejects.toThrow('could not create unique index');
    const valid = async () =>
      (
        await client.query<{ valid: boolean }>(
          `select indisvalid as valid from pg_index where indexrelid = to_regclass('emojis_of_test_name_unique')`,
        )
      ).rows;
    expect(await valid()).toEqual([{ valid: false }]);
    await client.query(`delete from "emojis_of_test" where ctid = (select min(ctid) from "emojis_of_test")`);
    expect(await migrate(await open(makeTable, indexNames))).toEqual([indexNames.name]);
    expect(await valid()).toEqual([{ valid: true }]);
  });
});

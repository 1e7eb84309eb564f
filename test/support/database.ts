import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { migrate } from '../../src/database/migrate.js';
import { openDatabase, type OpenDatabase } from '../../src/database/open.js';
import { describeUnless } from './skips.js';

export { temporaryDirectory } from './directory.js';

/**
 * A migrated database without a row for one test file. Without TEST_DATABASE_URL it is the embedded one, loaded from a
 * dump that is made once a schema and emptied after each file; with it, a PostgreSQL database cloned from a template.
 * `embedded` goes between the product and the embedded database.
 */
export async function freshDatabase(embedded: (pglite: PGlite) => PGlite = (pglite) => pglite): Promise<OpenDatabase> {
  const url = process.env['TEST_DATABASE_URL'];
  return url ? clonePostgres(url) : lendEmbedded(embedded);
}

export const onPostgres = process.env['TEST_DATABASE_URL'] !== undefined;
/** Why tests that need PostgreSQL are skipped; null where there is one. */
export const noPostgres = onPostgres ? null : 'needs PostgreSQL: set TEST_DATABASE_URL';

/** Suites that need several real connections: run on PostgreSQL, visibly skipped on the embedded database. */
export function describeOnPostgres(title: string, tests: () => void): void {
  describeUnless(noPostgres, title, tests);
}

/** Suites about the embedded database itself: visibly skipped on PostgreSQL. */
export function describeOnEmbedded(title: string, tests: () => void): void {
  describeUnless(onPostgres ? 'it is about the embedded database' : null, title, tests);
}

/** Identifies the schema by its migrations, so that a dump or template of other migrations is never used. */
const schemaHash = (() => {
  const folder = join(process.cwd(), 'src/migrations');
  const hash = createHash('sha256');
  for (const file of readdirSync(folder).sort()) hash.update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 16);
})();

const dumpPath = join(tmpdir(), `slipway-test-schema-${schemaHash}.tar`);

/** Makes the dump once; several workers may do so at the same time, each renames a whole file into place. */
async function makeEmbeddedDump(): Promise<void> {
  const pglite = await PGlite.create({ dataDir: 'memory://' });
  const database = await openDatabase({ dataDir: '', pglite });
  await migrate(database);
  await database.close();
  // So that the first start has no log to replay.
  await pglite.exec('checkpoint');
  const dump = await pglite.dumpDataDir('none');
  const own = `${dumpPath}.${process.pid}`;
  writeFileSync(own, Buffer.from(await dump.arrayBuffer()));
  renameSync(own, dumpPath);
  await pglite.close();
}

/**
 * Puts a migrated database without a row into a data directory, for programs whose tests are not about the first start:
 * making one anew and migrating it costs a process some seconds.
 */
export async function migrateDataDirectory(dataDir: string): Promise<void> {
  if (!existsSync(dumpPath)) await makeEmbeddedDump();
  const folder = join(dataDir, 'database');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  execFileSync('tar', ['-xf', dumpPath, '-C', folder, '--no-same-owner', '--no-same-permissions'], { stdio: 'ignore' });
}

/**
 * Embedded databases of this worker that no test file has at the moment: a start takes a second, emptying one does not.
 */
const idle: PGlite[] = [];

/** The tables and rows that the migrations alone create. */
interface Migrated {
  schema: string;
  rows: Map<string, string>;
}

let migrated: Migrated | undefined;

async function startEmbedded(): Promise<PGlite> {
  if (!existsSync(dumpPath)) await makeEmbeddedDump();
  // Without its timer for progress reports an idle database does not keep a worker from ending.
  const startParams = [...PGlite.defaultStartParams, '-c', 'log_startup_progress_interval=0'];
  const pglite = await PGlite.create({
    dataDir: 'memory://',
    loadDataDir: new Blob([readFileSync(dumpPath)]),
    startParams,
  });
  migrated ??= { schema: await schemaOf(pglite), rows: await rowsOf(pglite) };
  return pglite;
}

/** Names of the tables and indexes, and the number of columns and checks of each. */
async function schemaOf(pglite: PGlite): Promise<string> {
  const parts = "concat_ws(' ', relname, relkind, relnatts, relchecks)";
  const { rows } = await pglite.query<{ schema: string }>(
    `select string_agg(${parts}, ', ' order by relname) as schema from pg_class where relnamespace = 'public'::regnamespace`,
  );
  return rows[0]?.schema ?? '';
}

/** The tables that have been written to, except the record of migrations. */
async function writtenTables(pglite: PGlite): Promise<string[]> {
  const { rows } = await pglite.query<{ name: string }>(
    "select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'slipway_migrations' and pg_relation_size(oid) > 0",
  );
  return rows.map(({ name }) => name);
}

/** The rows of each table that has any, as JSON text. */
async function rowsOf(pglite: PGlite): Promise<Map<string, string>> {
  const rowsByTable = new Map<string, string>();
  for (const table of await writtenTables(pglite)) {
    const { rows } = await pglite.query<{ all: string }>(
      `select coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as all from ${table} t`,
    );
    rowsByTable.set(table, rows[0]?.all ?? '[]');
  }
  return rowsByTable;
}

/** Lends an embedded database: work that one test file leaves running cannot reach the tables of the next one. */
async function lendEmbedded(between: (pglite: PGlite) => PGlite): Promise<OpenDatabase> {
  const pglite = idle.pop() ?? (await startEmbedded());
  let returned = false;
  const lent = new Proxy(pglite, {
    get(target, property) {
      if (returned) throw new Error('the database of this test file is closed');
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const database = await openDatabase({ dataDir: '', pglite: between(lent) });
  return {
    ...database,
    close: async () => {
      await database.close();
      returned = true;
      if (await emptied(pglite)) idle.push(pglite);
      else await pglite.close();
    },
  };
}

/** Resets a database to its state after the migrations; false if its tables are no longer those of the migrations. */
async function emptied(pglite: PGlite): Promise<boolean> {
  await pglite.query('rollback');
  await pglite.query('discard all');
  if ((await schemaOf(pglite)) !== migrated?.schema) return false;
  const written = await writtenTables(pglite);
  if (written.length > 0) await pglite.query(`truncate ${written.join(', ')} restart identity`);
  for (const [table, rows] of migrated.rows)
    await pglite.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::text::jsonb)`, [
      rows,
    ]);
  return true;
}

const templateName = `slipway_template_${schemaHash}`;
const templateLock = 4_711;

async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(url: string, database: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${database}`;
  return parsed.toString();
}

/** Makes the migrated template database once, whichever worker comes first; called under the lock. */
async function makeTemplate(url: string, client: pg.Client): Promise<void> {
  const existing = await client.query('select 1 from pg_database where datname = $1', [templateName]);
  if (existing.rowCount) return;
  const unfinished = `${templateName}_${process.pid}`;
  await client.query(`create database ${unfinished}`);
  const database = await openDatabase({ databaseUrl: urlOf(url, unfinished), dataDir: '' });
  await migrate(database);
  await database.close();
  await client.query(`alter database ${unfinished} rename to ${templateName}`);
}

let clones = 0;

/** A separate PostgreSQL database; a test can open its `url` again as a second replica. */
export async function clonePostgres(url: string): Promise<OpenDatabase & { url: string }> {
  clones += 1;
  const name = `slipway_test_${process.pid}_${process.env['VITEST_POOL_ID'] ?? '0'}_${clones}_${Date.now()}`;
  await onServer(url, async (client) => {
    await client.query('select pg_advisory_lock($1)', [templateLock]);
    await makeTemplate(url, client);
    await client.query(`create database ${name} template ${templateName}`);
  });
  const own = urlOf(url, name);
  const database = await openDatabase({ databaseUrl: own, dataDir: '', poolSize: 8 });
  return {
    ...database,
    url: own,
    close: async () => {
      await database.close();
      await onServer(url, (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}

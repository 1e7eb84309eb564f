import type { PGlite } from '@electric-sql/pglite';
import type { Migration } from '@mikro-orm/migrations';
import { sql } from 'kysely';
import { loadMigrations, type NamedMigration } from '../migrations/registry.js';
import { OnlineIndexMigration } from '../migrations/online-index-migration.js';
import { executedMigrations, migrate, refuseNewerSchema } from './migrate.js';
import { openDatabase, type OpenDatabase } from './open.js';

/** A lock that a statement holds until its migration commits, on a table that was there before the migration. */
export interface PlannedLock {
  table: string;
  /** Mode of the lock as PostgreSQL names it, such as `AccessExclusiveLock`. */
  mode: string;
  /** Requests for the table that wait meanwhile. */
  waiting: 'reads and writes' | 'writes' | 'nothing';
  /** Whether the statement writes the whole table anew. */
  rewrites: boolean;
  /** Rows of the table in the database as the planner estimates them, and bytes with its indexes. */
  rows: number;
  bytes: number;
}

export interface PlannedStatement {
  statement: string;
  locks: PlannedLock[];
}

export interface PlannedMigration {
  name: string;
  /** Whether its statements are one transaction: all locks are held until its last statement has run. */
  isTransactional: boolean;
  statements: PlannedStatement[];
}

type Lock = Omit<PlannedLock, 'rows' | 'bytes'>;

/**
 * Returns the migrations that {@link migrate} would run, with their statements and the locks these take. Changes
 * nothing and locks nothing in the database: the statements run in an empty embedded database that has the same schema,
 * and its `pg_locks` has the locks. Throws `NewerSchemaError` for a database that is newer than this program.
 * @param migrations those to have instead of the product's, as tests do
 */
export async function planMigrations(
  database: OpenDatabase,
  migrations?: readonly NamedMigration[],
): Promise<PlannedMigration[]> {
  const executed = await executedMigrations(database);
  await refuseNewerSchema(database, executed);
  return planPending(database, executed, migrations ?? (await loadMigrations()));
}

async function planPending(
  database: OpenDatabase,
  executed: readonly string[],
  migrations: readonly NamedMigration[],
): Promise<PlannedMigration[]> {
  const pending = migrations.filter(({ name }) => !executed.includes(name));
  if (pending.length === 0) return [];
  const sizes = await tableSizes(database);
  const { PGlite: Embedded } = await import('@electric-sql/pglite');
  const scratch = await Embedded.create({ dataDir: 'memory://' });
  try {
    const earlier = migrations.filter(({ name }) => executed.includes(name));
    const copy = await openDatabase({ dataDir: '', pglite: scratch, migrations: earlier });
    try {
      await migrate(copy);
      const planned: PlannedMigration[] = [];
      for (const migration of pending) planned.push(await plan(migration, copy, scratch, sizes));
      return planned;
    } finally {
      await copy.close();
    }
  } finally {
    await scratch.close();
  }
}

async function plan(
  { name, class: MigrationClass }: NamedMigration,
  copy: OpenDatabase,
  scratch: PGlite,
  sizes: ReadonlyMap<string, { rows: number; bytes: number }>,
): Promise<PlannedMigration> {
  const { em, config } = await copy.openOrm();
  const migration: Migration = new MigrationClass(em.getDriver() as never, config);
  await migration.up();
  const texts = migration.getQueries().map(String);
  const isTransactional = migration.isTransactional();
  const locks = isTransactional
    ? await locksOfTransaction(scratch, texts)
    : await locksOfOnlineIndexes(scratch, texts, migration);
  const statements = texts.map((statement, index) => ({
    statement,
    locks: (locks[index] ?? []).map((lock) => ({ ...lock, ...(sizes.get(lock.table) ?? { rows: 0, bytes: 0 }) })),
  }));
  return { name, isTransactional, statements };
}

/** Runs statements as one transaction, and returns the locks that each adds on tables from before it. */
async function locksOfTransaction(scratch: PGlite, statements: readonly string[]): Promise<Lock[][]> {
  const locks: Lock[][] = [];
  await scratch.transaction(async (transaction) => {
    const read = async <T>(text: string) => (await transaction.query<T>(text)).rows;
    const tables = await read<{ id: number; table: string; file: number }>(filesOfTables);
    const before = new Map(tables.map((row) => [row.id, row]));
    const known = new Set<string>();
    for (const statement of statements) {
      await transaction.exec(statement);
      const files = new Map((await read<{ id: number; file: number }>(filesOfTables)).map((row) => [row.id, row.file]));
      const added: Lock[] = [];
      for (const { id, mode } of await read<{ id: number; mode: string }>(heldLocks)) {
        const table = before.get(id);
        const file = files.get(id);
        const rewrites = table !== undefined && file !== undefined && file !== table.file;
        const isHeld = known.has(`${id} ${mode}`) || (mode !== strongest && known.has(`${id} ${strongest}`));
        if (!table || (isHeld && !(rewrites && mode === strongest))) continue;
        known.add(`${id} ${mode}`);
        if (file !== undefined) table.file = file;
        added.push({ table: table.table, mode, waiting: waitingFor(mode), rewrites });
      }
      locks.push(added);
    }
  });
  return locks;
}

/** Runs statements without a transaction; their locks are the documented ones of `CREATE INDEX CONCURRENTLY`. */
async function locksOfOnlineIndexes(
  scratch: PGlite,
  statements: readonly string[],
  migration: Migration,
): Promise<Lock[][]> {
  if (!(migration instanceof OnlineIndexMigration))
    throw new Error(
      `${migration.constructor.name} runs without a transaction and builds no indexes: its locks are unknown`,
    );
  const mode = 'ShareUpdateExclusiveLock';
  const locks: Lock[][] = [];
  for (const statement of statements) {
    await scratch.exec(statement);
    const index = migration.indexes.find(({ name }) => statement.includes(`"${name}"`));
    locks.push(index ? [{ table: index.table, mode, waiting: waitingFor(mode), rewrites: false }] : []);
  }
  return locks;
}

const filesOfTables = `
  select c.oid::int as id, c.relname as "table", pg_relation_filenode(c.oid)::bigint::float8 as file
  from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`;

/** Locks of the transaction that hold up anybody, or that say that rows are changed. */
const heldLocks = `select distinct relation::int as id, mode from pg_locks
  where pid = pg_backend_pid() and granted and locktype = 'relation' and mode not in ('AccessShareLock', 'RowShareLock')
  order by 1, 2`;

/** It conflicts with every other lock, so that a weaker one on the same table says nothing more. */
const strongest = 'AccessExclusiveLock';

/**
 * Which requests wait for a lock, by PostgreSQL's table of conflicts: reads take `AccessShareLock`, writes
 * `RowExclusiveLock`.
 */
function waitingFor(mode: string): Lock['waiting'] {
  if (mode === strongest) return 'reads and writes';
  return ['ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock'].includes(mode) ? 'writes' : 'nothing';
}

async function tableSizes({ db }: OpenDatabase): Promise<Map<string, { rows: number; bytes: number }>> {
  const { rows } = await sql<{ table: string; rows: number; bytes: number }>`
    select relname as table, greatest(reltuples, 0)::float8 as rows, pg_total_relation_size(oid)::float8 as bytes
    from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`.execute(db);
  return new Map(rows.map(({ table, ...size }) => [table, size]));
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { AbstractSqlConnection } from '@mikro-orm/sql';
import { isCompatible, noteCompatibility } from './former-release.js';
import type { OpenDatabase } from './open.js';

/** The database has migrations that this program does not know: a newer one has been at it. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';

  constructor(unknown: readonly string[], newest: string) {
    const names =
      unknown.length > 5 ? `${unknown.slice(0, 5).join(', ')} and ${unknown.length - 5} more` : unknown.join(', ');
    super(
      `the database is newer than this program: it has the ${unknown.length === 1 ? 'migration' : 'migrations'} ${names}, and the newest that this program knows is ${newest}. Start the release that made it, or restore a backup from before the upgrade.`,
    );
  }
}

export interface MigrationOptions {
  /** Called every now and then while another process migrates or uses a table, with the seconds waited so far. */
  waiting?: (seconds: number) => void;
  /** Milliseconds between two calls of `waiting` for another process that migrates; 10,000 where absent. */
  progressEveryMs?: number;
  /** Migrations to run, of those that the program knows; all where absent. */
  upTo?: readonly string[];
}

/** A key for the advisory lock that lets one of several starting replicas migrate while the others wait. */
const migrationLock = 7_501_923;
const lookEveryMs = 250;

/**
 * Migrates the schema without a time limit; each migration is a separate transaction. Replicas that start at once wait
 * for the one that migrates. Throws {@link NewerSchemaError}.
 * @returns the names of the migrations that ran
 */
export async function migrate(database: OpenDatabase, options: MigrationOptions = {}): Promise<string[]> {
  const run = async () => {
    const before = await executedMigrations(database);
    await refuseNewerSchema(database, before);
    const { migrator } = await database.openOrm();
    const { upTo } = options;
    await runUntilUnlocked(options, async () => {
      await migrator.up(upTo ? { migrations: await pendingOf(database, upTo) } : undefined);
    });
    const after = await executedMigrations(database);
    if (hasAll(database, after)) await noteCompatibility(database.db);
    return after.filter((name) => !before.includes(name));
  };
  // A replica without pending migrations waits for no lock, and needs only permission to read.
  const before = await executedMigrations(database);
  await refuseNewerSchema(database, before);
  if (hasAll({ migrations: options.upTo ?? database.migrations }, before)) return [];
  if (database.kind === 'pglite') return run();
  const orm = await database.openOrm();
  const connection = orm.em.getDriver().getConnection() as unknown as AbstractSqlConnection;
  return (connection.getClient<never>() as unknown as Kysely<never>).connection().execute(async (holder) => {
    await takeLock(holder, options);
    try {
      return await run();
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(migrationLock)})`.execute(holder).catch(() => undefined);
    }
  });
}

/** How often a migration that got no lock in time is tried, with growing pauses: for some minutes. */
const lockTries = 60;
const longestPauseMs = 5_000;
/** Without its lock in time (`short-lock-migration.ts`), or chosen to end a deadlock. */
const withoutLock: ReadonlySet<unknown> = new Set(['55P03', '40P01']);

/**
 * Runs migrations again while one of them does not get its lock: requests that hold it are few, and those that come
 * later must not wait behind it for long. What has been committed is not run again, as each is a transaction.
 */
async function runUntilUnlocked({ waiting }: MigrationOptions, run: () => Promise<void>): Promise<void> {
  const start = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === lockTries || !withoutLock.has(codeOf(error))) throw error;
      waiting?.(Math.round((performance.now() - start) / 1000));
      await sleep(Math.min(longestPauseMs, 100 * 2 ** Math.min(attempt, 10)));
    }
  }
}

/** The SQLSTATE of an error or of what has caused it. */
function codeOf(error: unknown): unknown {
  for (let each = error; each instanceof Error; each = each.cause) if ('code' in each && each.code) return each.code;
  return undefined;
}

/**
 * Asks again and again instead of waiting in the database: a session that waits there has a snapshot, and an index that
 * is built concurrently waits for every snapshot, so the two would wait for each other.
 */
async function takeLock(holder: Kysely<never>, { waiting, progressEveryMs = 10_000 }: MigrationOptions): Promise<void> {
  const start = performance.now();
  for (let lastProgressMs = 0; ; await sleep(lookEveryMs)) {
    const { rows } = await sql<{
      taken: boolean;
    }>`select pg_try_advisory_lock(${sql.lit(migrationLock)}) as taken`.execute(holder);
    if (rows[0]?.taken) return;
    const waited = performance.now() - start;
    if (waited - lastProgressMs < progressEveryMs) continue;
    lastProgressMs = waited;
    waiting?.(Math.round(waited / 1000));
  }
}

/**
 * Throws {@link NewerSchemaError} if the database has migrations that this program does not know, unless the program
 * that ran them said that this one goes on beside it: in the middle of a rolling upgrade it may have to start again.
 */
export async function refuseNewerSchema(database: OpenDatabase, names: readonly string[]): Promise<void> {
  const { db, migrations: known } = database;
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const newest = known.at(-1) ?? 'none';
  if (!hasAll(database, names) || !(await isCompatible(db, newest))) throw new NewerSchemaError(unknown, newest);
}

/** Names of the migrations that have been run, the oldest first. */
export async function executedMigrations({ db }: Pick<OpenDatabase, 'db'>): Promise<string[]> {
  const { rows } = await sql<{
    exists: boolean;
  }>`select to_regclass('slipway_migrations') is not null as exists`.execute(db);
  if (!rows[0]?.exists) return [];
  const run = await sql<{ name: string }>`select name from slipway_migrations order by id`.execute(db);
  return run.rows.map(({ name }) => name);
}

async function pendingOf(database: OpenDatabase, names: readonly string[]): Promise<string[]> {
  const before = await executedMigrations(database);
  return names.filter((name) => !before.includes(name));
}

/** Whether every migration has been run. */
export async function isMigrated(database: OpenDatabase): Promise<boolean> {
  return hasAll(database, await executedMigrations(database));
}

const hasAll = ({ migrations }: Pick<OpenDatabase, 'migrations'>, names: readonly string[]) =>
  migrations.every((name) => names.includes(name));

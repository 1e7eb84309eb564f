import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import type { MikroORM } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import type { AbstractSqlConnection } from '@mikro-orm/sql';
import { sql } from 'kysely';
import type { Db } from '../entities/database.js';
import { entities } from '../entities/registry.js';
import { migrations } from '../migrations/registry.js';
import { lockDirectory } from './directory-lock.js';
import { RowConversionPlugin } from './row-conversion.js';
import { guardPool } from './transaction.js';

export interface DatabaseOptions {
  /** PostgreSQL 14 or newer; without it the embedded database in `dataDir` is used. */
  databaseUrl?: string | undefined;
  dataDir: string;
  poolSize?: number;
  /** An embedded database that is already open, as tests have it. */
  pglite?: PGlite;
}

export interface OpenDatabase {
  kind: 'postgresql' | 'pglite';
  orm: MikroORM;
  db: Db;
  close(): Promise<void>;
}

const shared = {
  entities: [...entities],
  extensions: [Migrator],
  migrations: { migrationsList: migrations, snapshot: false, tableName: 'slipway_migrations', allOrNothing: true },
  allowGlobalContext: true,
  logger: () => undefined,
  discovery: { warnWhenNoEntities: false },
};

/** Opens the database that the options name. The embedded one is locked against a second process first. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  return options.databaseUrl ? openPostgres(options.databaseUrl, options.poolSize ?? 10) : openEmbedded(options);
}

async function openPostgres(url: string, poolSize: number): Promise<OpenDatabase> {
  const { MikroORM: PostgresOrm } = await import('@mikro-orm/postgresql');
  const orm = await PostgresOrm.init({
    ...shared,
    clientUrl: url,
    pool: { min: 0, max: poolSize },
    driverOptions: { options: '-c timezone=UTC -c lock_timeout=15000 -c statement_timeout=60000 -c idle_in_transaction_session_timeout=60000', connectionTimeoutMillis: 10_000 },
  });
  return { kind: 'postgresql', orm, db: kyselyOf(orm), close: () => orm.close(true) };
}

async function openEmbedded(options: DatabaseOptions): Promise<OpenDatabase> {
  const { MikroORM: EmbeddedOrm } = await import('@mikro-orm/pglite');
  const directory = join(options.dataDir, 'database');
  const release = options.pglite ? () => undefined : lockDirectory(options.dataDir);
  try {
    const pglite = options.pglite ?? (await createPglite(directory));
    await pglite.query(`set timezone to 'UTC'`);
    const orm = await EmbeddedOrm.init({ ...shared, dbName: 'slipway', driverOptions: { pglite: yielding(pglite) } });
    const close = async () => {
      await orm.close(true);
      if (!options.pglite) await pglite.close();
      release();
    };
    return { kind: 'pglite', orm, db: kyselyOf(orm), close };
  } catch (error) {
    release();
    throw error;
  }
}

async function createPglite(directory: string): Promise<PGlite> {
  const { PGlite: Embedded } = await import('@electric-sql/pglite');
  return Embedded.create({ dataDir: directory });
}

/**
 * The embedded database runs in this thread and a loop of queries would starve the event loop: give timers and
 * sockets a turn before each one.
 */
function yielding(pglite: PGlite): PGlite {
  return new Proxy(pglite, {
    get(target, property) {
      if (property === 'query') {
        return async (...args: Parameters<PGlite['query']>) => {
          await nextTurn();
          return target.query(...args);
        };
      }
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function kyselyOf(orm: MikroORM): Db {
  const connection = orm.em.getDriver().getConnection() as unknown as AbstractSqlConnection;
  const plain = connection.getClient<never>() as unknown as Db;
  return guardPool(plain.withPlugin(new RowConversionPlugin()));
}

/** A key for the advisory lock that lets one of several starting replicas migrate while the others wait. */
const migrationLock = 7_501_923;

/**
 * Brings the schema up to date. Safe when several replicas start at once.
 * @returns the names of the migrations that were run.
 */
export async function migrate(database: OpenDatabase): Promise<string[]> {
  const run = async () => (await database.orm.migrator.up()).map((migration) => migration.name);
  if (database.kind === 'pglite') return run();
  return database.db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${migrationLock})`.execute(connection);
    try {
      return await run();
    } finally {
      await sql`select pg_advisory_unlock(${migrationLock})`.execute(connection);
    }
  });
}

/** Whether every migration has been run: what `/healthz` asks. */
export async function isMigrated(database: OpenDatabase): Promise<boolean> {
  return (await database.orm.migrator.getPending()).length === 0;
}

import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import type { MikroORM } from '@mikro-orm/core';
import { type Dialect, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { limits } from '../domain/limits/limits.js';
import type { Database, Db } from '../entities/database.js';
import { loadMigrations, migrationNames, type NamedMigration } from '../migrations/registry.js';
import { lockDirectory } from './directory-lock.js';
import { type Listener, type ListenHandlers, listenTo } from './listen.js';
import { LaneDriver } from './lane-driver.js';
import { type Lane, LaneGate, lanes, type LaneUse } from './lanes.js';
import { PostgresDriver } from './postgres-driver.js';
import { ReadReplica, type ReplicaOptions } from './read-replica.js';
import { RowConversionPlugin } from './row-conversion.js';
import { guardPool } from './transaction.js';

export interface DatabaseOptions {
  /** PostgreSQL 14 or newer; without it the embedded database in `dataDir` is used. */
  databaseUrl?: string | undefined;
  dataDir: string;
  /** True keeps the embedded database in memory: it ends with the process. */
  inMemory?: boolean;
  /** Connections of PostgreSQL at most; migrations have one more while they run. */
  poolSize?: number;
  /**
   * Migrations that a new embedded database must not exceed, because it is for rows of a release that has no others;
   * without them it begins with all that the program knows.
   */
  schema?: readonly string[];
  /** An embedded database that is already open, as tests have it. */
  pglite?: PGlite;
  /** Called when the server may have lost its last changes (`PostgresOptions`); the embedded database never does. */
  onRecovery?: (() => void) | undefined;
  /** Migrations to have instead of the product's, as tests do. */
  migrations?: readonly NamedMigration[];
}

export interface OpenDatabase {
  kind: 'postgresql' | 'pglite';
  /**
   * Opens MikroORM the first time: for migrations, and to compare the schema with the entities. It has separate
   * connections without the limits of requests. A process that finds its schema up to date never loads it.
   */
  openOrm: () => Promise<MikroORM>;
  /** Names of the migrations that this program knows, in the order in which they run. */
  migrations: readonly string[];
  db: Db;
  /**
   * Opens a handle for work on whole tables, which takes longer than statements and transactions of requests may. It
   * has a connection of its own on PostgreSQL; the embedded database has one for all.
   */
  openBulk: () => { db: Db; close(): Promise<void> };
  /** Reads of requests that may be in the database at a time, so that agents, health checks and writes find it free. */
  readsAtOnce: number;
  /**
   * Listens for notifications of other processes over a connection of its own; null for the embedded database, which
   * has none.
   */
  listen: ((channel: string, handlers: ListenHandlers) => Listener) | null;
  close(): Promise<void>;
}

const settings = async (options: DatabaseOptions) => ({
  entities: [...(await import('../entities/registry.js')).entities],
  extensions: [(await import('@mikro-orm/migrations')).Migrator],
  // Each migration is a transaction of its own: an index that is built without locking its table out cannot be in one.
  migrations: {
    migrationsList: [...(options.migrations ?? (await loadMigrations()))],
    snapshot: false,
    tableName: 'slipway_migrations',
    allOrNothing: false,
    silent: true,
  },
  allowGlobalContext: true,
  logger: () => undefined,
  discovery: { warnWhenNoEntities: false },
  // Entities cannot describe triggers that see all rows of a statement: those of the migrations are taken as they are.
  schemaGenerator: { ignoreTriggers: true },
});

/**
 * Opens the standby that `url` names for reads. Nothing is asked before the first use.
 *
 * @param primary the handle of the database that it follows
 */
export function openReadReplica(
  url: string,
  { primary, size, onChange }: { primary: Db; size: number } & Pick<ReplicaOptions, 'onChange'>,
): ReadReplica {
  const waits = Object.fromEntries(lanes.map((lane) => [lane, limits.readReplicaWaitMs])) as Record<Lane, number>;
  const driver = new PostgresDriver({
    url,
    size,
    timeouts: { statement: limits.readReplicaStatementMs, lock: limits.readReplicaStatementMs },
    onRecovery: () => replica.distrust('connections lead to another server than before'),
  });
  const connections = new Kysely<Database>({
    dialect: dialectOf(() => new LaneDriver(driver, new LaneGate(size, waits))),
  });
  const replica = new ReadReplica({ connections, primary, readsAtOnce: Math.max(1, size - 1), onChange });
  return replica;
}

const namesOf = ({ migrations }: DatabaseOptions) => migrations?.map(({ name }) => name) ?? migrationNames;

/** Whether a new embedded database may begin as the one that the build has prepared, with every migration. */
const isPrepared = ({ schema }: DatabaseOptions) => !schema || migrationNames.every((name) => schema.includes(name));

/** Opens at the first call, and closes what was opened. */
function once(create: () => Promise<MikroORM>) {
  let orm: Promise<MikroORM> | undefined;
  return {
    open: () => (orm ??= create()),
    close: async () => (await orm)?.close(true),
  };
}

/** Milliseconds that a statement of a request may take and wait for a lock. */
const timeouts = { statement: limits.databaseStatementMs, lock: limits.databaseLockMs };
/** One holds the lock of migrations, one migrates, one reads the present state. */
const migrationConnections = 3;

/** Opens the database that the options name. The embedded one is locked against a second process first. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  return options.databaseUrl ? openPostgres(options.databaseUrl, options) : openEmbedded(options);
}

async function openPostgres(url: string, options: DatabaseOptions): Promise<OpenDatabase> {
  const orm = once(async () => {
    const { MikroORM: PostgresOrm } = await import('@mikro-orm/postgresql');
    return PostgresOrm.init({
      ...(await settings(options)),
      clientUrl: url,
      driverOptions: dialectOf(() => new PostgresDriver({ url, size: migrationConnections, timeouts: null })),
    });
  });
  const size = options.poolSize ?? 10;
  const gate = new LaneGate(size);
  const plain = new Kysely<Database>({
    dialect: dialectOf(
      () => new LaneDriver(new PostgresDriver({ url, size, timeouts, onRecovery: options.onRecovery }), gate),
    ),
  });
  const close = async () => {
    await plain.destroy();
    await orm.close();
  };
  return {
    kind: 'postgresql',
    openOrm: orm.open,
    migrations: namesOf(options),
    db: handleOf(plain, gate),
    openBulk: () => {
      const bulk = new Kysely<Database>({
        dialect: dialectOf(() => new PostgresDriver({ url, size: 1, timeouts: null })),
        plugins: [new RowConversionPlugin()],
      });
      return { db: bulk, close: () => bulk.destroy() };
    },
    readsAtOnce: Math.max(1, Math.floor(size / 2)),
    listen: (channel, handlers) => listenTo(url, channel, handlers),
    close,
  };
}

function dialectOf(createDriver: Dialect['createDriver']): Dialect {
  return {
    createDriver,
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

async function openEmbedded(options: DatabaseOptions): Promise<OpenDatabase> {
  const { EmbeddedDriver } = await import('./embedded/driver.js');
  const { openPglite } = await import('./embedded/open-pglite.js');
  const { EmbeddedDatabase } = await import('./embedded/embedded-database.js');
  const release = options.pglite ? () => undefined : await lockDirectory(options.dataDir);
  try {
    const pglite =
      options.pglite ??
      (await openPglite(options.inMemory ? null : join(options.dataDir, 'database'), isPrepared(options)));
    await pglite.exec(`set timezone to 'UTC'`);
    const embedded = new EmbeddedDatabase(pglite, endProcess);
    const orm = once(async () => {
      const { MikroORM: EmbeddedOrm } = await import('@mikro-orm/pglite');
      const driverOptions = dialectOf(() => new EmbeddedDriver(embedded));
      return EmbeddedOrm.init({ ...(await settings(options)), dbName: 'slipway', driverOptions });
    });
    const gate = new LaneGate(1);
    const plain = new Kysely<Database>({
      dialect: dialectOf(() => new LaneDriver(new EmbeddedDriver(embedded), gate)),
    });
    const close = async () => {
      await plain.destroy();
      await orm.close();
      if (!options.pglite) await embedded.close();
      release();
    };
    const db = embeddedHandleOf(plain, gate);
    return {
      kind: 'pglite',
      openOrm: orm.open,
      migrations: namesOf(options),
      db,
      openBulk: () => ({ db, close: async () => undefined }),
      readsAtOnce: 1,
      listen: null,
      close,
    };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Leaves the error to the last resort (docs/decisions/0006-last-resort.md): the process stops, and its supervisor
 * starts it again.
 */
function endProcess(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

const gates = new WeakMap<Db, LaneGate>();

function handleOf(plain: Db, gate: LaneGate): Db {
  const handle = guardPool(plain.withPlugin(new RowConversionPlugin()));
  gates.set(handle, gate);
  return handle;
}

const embeddedHandles = new WeakSet<Db>();

function embeddedHandleOf(plain: Db, gate: LaneGate): Db {
  const handle = handleOf(plain, gate);
  embeddedHandles.add(handle);
  return handle;
}

/** Whether a handle is that of an embedded database, which has nobody else to look after it. */
export function isEmbedded(db: Db): boolean {
  return embeddedHandles.has(db);
}

/** Returns the use of the connections behind a handle by lane; none for a handle that was not opened here. */
export function connectionUse(db: Db): LaneUse[] {
  return gates.get(db)?.use() ?? [];
}

import { join } from 'node:path';
import pLimit from 'p-limit';
import { systemClock } from '../services/clock.js';
import type { Config } from './config.js';
import { ConfigError } from '../services/config-error.js';
import { raiseLimits } from '../domain/limits/raised-limits.js';
import type { Logger, PersistedDocuments, Services } from '../services/services.js';
import { FragmentCache } from '../response-cache/fragment-cache.js';
import { isMigrated, migrate } from '../database/migrate.js';
import { openDatabase, type OpenDatabase, openReadReplica } from '../database/open.js';
import { startErrorOf } from '../database/start-error.js';
import { trustProxies } from '../http/client-address.js';
import { openProviders } from '../providers/open-providers.js';
import { sealUrlTokens } from '../resources/pipelines/seal-url-tokens.js';
import { checkSecretKeys } from '../resources/installation/secret-keys/check.js';
import { openEventBus } from '../providers/event-bridge.js';
import { openMail } from '../providers/mail.js';
import { openOutbound } from '../providers/outbound.js';
import { openSingleSignOn } from '../providers/single-sign-on.js';
import { TokenWrites } from '../auth/token-writes.js';
import { CredentialUses } from '../auth/credential-uses.js';
import { DiskRoom } from '../storage/disk-room.js';
import { openExportPlace, openStorage, storageDirectory } from '../storage/open-storage.js';
import { openWorkers } from '../workers/pool.js';
import { readSecretKeys } from './secret-key.js';
import { checkStart } from './start-checks.js';

/** Worker threads of each of several processes: together they have as many as the cores can do with. */
const threadsOfOneProcess = 2;

/** An open, migrated database and the services on it; `close` releases everything. */
export interface Installation {
  database: OpenDatabase;
  services: Services;
  /** Names of the migrations that were run on the way. */
  migrated: string[];
  /** Directory of the stored objects, or else of the embedded database; null if neither is on this machine. */
  disk: string | null;
  close(): Promise<void>;
}

interface InstallationOptions {
  /** The embedded database is in memory and ends with the installation. */
  inMemory?: boolean;
  /** Checks storage and single sign-on too, as a server needs them. */
  serves?: boolean;
  /** False: throws `ConfigError` in place of migrating. */
  migrates?: boolean;
}

/**
 * Opens and migrates the configured database and builds the services on it, without any surface. Throws
 * `ConfigError` for a wrong secret key and for what cannot be used ({@link checkStart}; storage and single sign-on are
 * checked if `serves`), `DatabaseStartError` for missing rights in PostgreSQL, other database errors, and
 * `DirectoryInUseError` if another process holds the embedded database.
 */
export async function openInstallation(
  config: Config,
  log: Logger,
  replaced: Partial<Services> = {},
  { inMemory = false, serves = false, migrates = true }: InstallationOptions = {},
): Promise<Installation> {
  raiseLimits(config.raisedLimits);
  const persistedDocuments = config.graphqlManifest ? await persisted(config.graphqlManifest) : undefined;
  const fragmentCache = config.replyMemoryBytes > 0 ? new FragmentCache(config.replyMemoryBytes) : undefined;
  const outbound = openOutbound({ allow: config.outboundAllow });
  const storage = replaced.storage ?? openStorage(config.storageUrl, { dataDir: config.dataDir });
  const singleSignOn =
    replaced.singleSignOn ?? (config.singleSignOn ? openSingleSignOn(config.singleSignOn, outbound) : undefined);
  let database: OpenDatabase;
  let forgetReplica: (reason: string) => void = () => undefined;
  try {
    await checkStart(config, serves ? { storage, singleSignOn, log } : { storage: null, singleSignOn: undefined, log });
    database = await openDatabase({
      databaseUrl: config.databaseUrl,
      dataDir: config.dataDir,
      poolSize: config.databasePoolSize,
      inMemory,
      onRecovery: () => {
        fragmentCache?.clear();
        forgetReplica('the primary may be another server than before');
      },
    });
  } catch (error) {
    await outbound.close();
    throw error;
  }
  const mail = config.mail ? openMail(config.mail) : undefined;
  const eventBus = openEventBus();
  const workers = replaced.workers ?? openWorkers(config.workers > 1 ? { threads: threadsOfOneProcess } : {});
  const readReplica = serves ? readReplicaOf(config, database, log) : undefined;
  if (readReplica) forgetReplica = (reason) => readReplica.distrust(reason);
  const close = async () => {
    if (!replaced.workers) await workers.close();
    mail?.close();
    eventBus.close();
    await outbound.close();
    await readReplica?.close();
    await database.close();
  };
  try {
    const waiting = (seconds: number) =>
      log.info({ seconds }, 'waiting for others, which migrate the database or use a table that is to be changed');
    if (!migrates && !(await isMigrated(database)))
      throw new ConfigError('the database must be migrated first, which this command does not do: run slipway migrate');
    const migrated = migrates ? await migrate(database, { waiting }) : [];
    const { payloads } = await import('../rest/payloads.js');
    const services: Services = {
      db: database.db,
      clock: systemClock,
      storage,
      diskRoom: replaced.storage ? undefined : diskRoomOf(config, log),
      outbound,
      payloads,
      log,
      providers: openProviders({ outbound, clock: replaced.clock ?? systemClock }),
      ...(mail ? { mail } : {}),
      eventBus,
      workers,
      baseUrl: config.baseUrl,
      reportsUrl: config.reportsUrl,
      secretKey: readSecretKeys(config),
      limits: {
        graphqlCost: config.graphqlCostLimit,
        requestsPerMinuteOrganization: config.rateLimitOrganization,
        requestsPerMinuteUser: config.rateLimitUser,
        graphqlOrganizationPoints: config.graphqlPointsOrganization,
        graphqlUserPoints: config.graphqlPointsUser,
      },
      readTurns: pLimit(database.readsAtOnce),
      ...(readReplica ? { readReplica, tokenWrites: new TokenWrites() } : {}),
      fragmentCache,
      ...(persistedDocuments ? { persistedDocuments } : {}),
      retention: config.retention,
      ...buildExportsOf(config),
      webhookIps: config.webhookIps,
      trustsProxy: trustProxies(config.trustedProxies),
      credentialUses: new CredentialUses(),
      ...(singleSignOn ? { singleSignOn } : {}),
      wake: () => undefined,
      ...replaced,
    };
    await readReplica?.start();
    await checkSecretKeys(services);
    await sealUrlTokens(services);
    return { database, services, migrated, disk: diskOf(config), close };
  } catch (error) {
    await close().catch(() => undefined);
    throw config.databaseUrl ? startErrorOf(error, config.databaseUrl) : error;
  }
}

function buildExportsOf({ buildExportTo }: Config): Pick<Services, 'buildExports'> {
  return buildExportTo === undefined ? {} : { buildExports: openExportPlace(buildExportTo, 'BUILD_EXPORT_TO') };
}

function diskOf({ storageUrl, databaseUrl, dataDir }: Config): string | null {
  if (!storageUrl?.startsWith('s3:')) return storageDirectory(storageUrl, { dataDir });
  return databaseUrl ? null : dataDir;
}

/** Reads the list of GraphQL documents to accept, and the console's own, which its build writes beside its files. */
async function persisted(manifest: string): Promise<PersistedDocuments> {
  const { readPersistedDocuments } = await import('../graphql/server/persisted-documents.js');
  const { builtConsole } = await import('../web/console/shell.js');
  return readPersistedDocuments(manifest, join(builtConsole, 'documents.json'));
}

/** Looks after the disk of a storage on disk, and says in the log when it fills and when there is room again. */
function diskRoomOf({ storageUrl, dataDir, diskReserveBytes }: Config, log: Logger): DiskRoom | undefined {
  if (diskReserveBytes === 0 || storageUrl?.startsWith('s3:')) return undefined;
  const directory = storageDirectory(storageUrl, { dataDir });
  return new DiskRoom(directory, diskReserveBytes, ({ freeBytes, state }) => {
    const fields = { free_bytes: freeBytes, reserve_bytes: diskReserveBytes };
    if (state === 'ample') log.info(fields, 'the disk of logs and artifacts has room again');
    else if (state === 'filling') log.warn(fields, 'the disk of logs and artifacts is filling: make room');
    else log.error(fields, 'the disk of logs and artifacts is full to DISK_RESERVE: new ones are refused');
  });
}

/** Opens the replica that lists are read on, and says in the log where they are read from now on. */
function readReplicaOf({ databaseReadUrl, databasePoolSize }: Config, { db }: OpenDatabase, log: Logger) {
  if (databaseReadUrl === undefined) return undefined;
  return openReadReplica(databaseReadUrl, {
    primary: db,
    size: databasePoolSize,
    onChange: (state, reason) => {
      if (state === 'ok') log.info({}, 'read replica: lists are read on it');
      else log.warn({ state, reason }, 'read replica: it cannot be used, so lists are read on the primary');
    },
  });
}

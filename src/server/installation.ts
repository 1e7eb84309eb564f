import { systemClock } from '../clock.js';
import type { Config } from '../config.js';
import type { Logger, Services } from '../context.js';
import { migrate, openDatabase, type OpenDatabase } from '../database/open.js';
import { isLoopbackHost } from '../providers/allowed-address.js';
import { githubProviders } from '../providers/github.js';
import { openOutbound } from '../providers/outbound.js';
import { openStorage } from '../storage/open-storage.js';
import { readSecretKey } from './secret-key.js';

/** An open database with its schema up to date, and the services on it; `close` gives everything back. */
export interface Installation {
  database: OpenDatabase;
  services: Services;
  /** Names of the migrations that were run on the way. */
  migrated: string[];
  close(): Promise<void>;
}

/**
 * Opens the database that the configuration names, migrates it and builds the services on it, without any surface.
 * Throws what the database throws, or `DirectoryInUseError` where another process holds the embedded one.
 */
export async function openInstallation(config: Config, log: Logger, replaced: Partial<Services> = {}): Promise<Installation> {
  const database = await openDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, poolSize: config.databasePoolSize });
  const outbound = openOutbound({ allowLoopback: isLoopbackHost(config.host) });
  const close = async () => {
    await outbound.close();
    await database.close();
  };
  try {
    const migrated = await migrate(database);
    const { payloads } = await import('../rest/payloads.js');
    const services: Services = {
      db: database.db,
      clock: systemClock,
      storage: openStorage(config.storageUrl, { dataDir: config.dataDir }),
      outbound,
      payloads,
      log,
      providers: githubProviders(outbound),
      baseUrl: config.baseUrl,
      secretKey: readSecretKey(config),
      limits: {
        graphqlCost: config.graphqlCostLimit,
        requestsPerMinuteOrganization: config.rateLimitOrganization,
        requestsPerMinuteUser: config.rateLimitUser,
        graphqlOrganizationPoints: config.graphqlPointsOrganization,
        graphqlUserPoints: config.graphqlPointsUser,
      },
      webhookIps: config.webhookIps,
      wake: () => undefined,
      ...replaced,
    };
    return { database, services, migrated, close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

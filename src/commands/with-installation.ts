import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../server/config.js';
import type { Installation } from '../server/installation.js';
import { readConfigurationOfCommand } from './read-configuration.js';
import { silentLog } from './silent-log.js';
import { noDatabase } from './with-database.js';

/** Opens and migrates the configured database, runs the work, and closes the database even if the work fails. */
export async function withInstallation<T>(work: (installation: Installation) => Promise<T>): Promise<T> {
  return open(await readConfigurationOfCommand(), {}, work);
}

/** The same for a database that must be there, with the schema of this release: throws where it is not. */
export async function withPresentInstallation<T>(work: (installation: Installation) => Promise<T>): Promise<T> {
  const config = await readConfigurationOfCommand();
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'database'))) throw noDatabase(config.dataDir);
  return open(config, { migrates: false }, work);
}

/**
 * The same for work that must change nothing: throws where the schema would have to be migrated, and takes a database
 * in memory where there is none yet.
 */
export async function withUnchangedInstallation<T>(work: (installation: Installation) => Promise<T>): Promise<T> {
  const config = await readConfigurationOfCommand();
  if (config.databaseUrl || existsSync(join(config.dataDir, 'database')))
    return open(config, { migrates: false }, work);
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-dry-run-'));
  try {
    return await open({ ...config, dataDir }, { inMemory: true }, work);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function open<T>(
  config: Config,
  options: { inMemory?: boolean; migrates?: boolean },
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const { openInstallation } = await import('../server/installation.js');
  const installation = await openInstallation(config, silentLog, {}, options);
  try {
    return await work(installation);
  } finally {
    await installation.close();
  }
}

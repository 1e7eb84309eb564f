import { ConfigError } from '../services/config-error.js';
import { readConfigurationOfCommand } from './read-configuration.js';
import { silentLog } from './silent-log.js';
import type { BackupHeader } from '../resources/installation/backup/format.js';
import type { RestoreTarget } from '../resources/installation/backup/restore.js';

/**
 * Opens the configured database and storage as they are for a restore, without what a start of a server does to them,
 * and closes the database even if the work fails.
 */
export async function withRestoreTarget<T>(
  { migrations }: Pick<BackupHeader, 'migrations'>,
  work: (target: RestoreTarget) => Promise<T>,
): Promise<T> {
  const config = await readConfigurationOfCommand();
  const { openStorage } = await import('../storage/open-storage.js');
  const { readExistingSecretKeys } = await import('../server/secret-key.js');
  const { checkStart } = await import('../server/start-checks.js');
  const { openDatabase } = await import('../database/open.js');
  const secretKey = readExistingSecretKeys(config);
  if (secretKey === null)
    throw new ConfigError(
      'SECRET_KEY: required for a restore. Set it to the key of the installation that was backed up, or copy its ' +
        `file secret-key to ${config.dataDir}`,
    );
  const storage = openStorage(config.storageUrl, { dataDir: config.dataDir });
  await checkStart(config, { storage, singleSignOn: undefined, log: silentLog });
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    poolSize: config.databasePoolSize,
    schema: migrations,
  });
  try {
    return await work({ database, storage, secretKey });
  } finally {
    await database.close();
  }
}

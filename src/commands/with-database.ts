import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenDatabase } from '../database/open.js';
import { readConfigurationOfCommand } from './read-configuration.js';

/** The error of a command that needs an embedded database where there is none. */
export const noDatabase = (dataDir: string) =>
  new Error(`there is no database in ${dataDir} yet: the first start makes one with the whole schema`);

/**
 * Opens the configured database as it is, runs the work, and closes the database even if the work fails. Migrates
 * nothing, and refuses an embedded database that is not there, because opening would make it. Throws
 * `DatabaseStartError` for a PostgreSQL server that cannot be used, and `DirectoryInUseError` if another process holds
 * the embedded database.
 */
export async function withDatabase<T>(work: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir, databasePoolSize } = await readConfigurationOfCommand();
  if (!databaseUrl && !existsSync(join(dataDir, 'database'))) throw noDatabase(dataDir);
  const { openDatabase } = await import('../database/open.js');
  const { startErrorOf } = await import('../database/start-error.js');
  if (databaseUrl) await (await import('../database/check-server.js')).checkServer(databaseUrl);
  const database = await openDatabase({ databaseUrl, dataDir, poolSize: databasePoolSize });
  try {
    return await work(database);
  } catch (error) {
    throw databaseUrl ? startErrorOf(error, databaseUrl) : error;
  } finally {
    await database.close();
  }
}

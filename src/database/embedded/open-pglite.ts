import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { PGlite } from '@electric-sql/pglite';

/** Resident from the start. PostgreSQL's own 128 MB are a third of the process; what is not here, the system has in its page cache. */
const sharedBuffers = '32MB';

/** Opens the database in a directory, or a new one in memory. A new one begins with the prepared database. */
export async function openPglite(directory: string | null): Promise<PGlite> {
  const { PGlite: Embedded } = await import('@electric-sql/pglite');
  const isNew = directory === null || !existsSync(join(directory, 'PG_VERSION'));
  const pglite = await Embedded.create({
    dataDir: directory ?? 'memory://',
    startParams: [...Embedded.defaultStartParams, '-c', `shared_buffers=${sharedBuffers}`],
    ...(isNew && { loadDataDir: await preparedDatabase() }),
  });
  // A list is planned for the values that it is asked for; statements of transactions, which find rows by their keys, are
  // not (driver.ts). ANALYZE reads 300 rows for each unit of the target: everybody waits for it, and PostgreSQL's own 100
  // would take more than a second for a wide table.
  await pglite.exec('set plan_cache_mode to force_custom_plan; set default_statistics_target to 20');
  return pglite;
}

/**
 * Returns the archive of a migrated database without a row that a build makes (scripts/prepare-database.mjs); making a
 * cluster and running every migration takes seconds. Undefined where this is not a build.
 */
async function preparedDatabase(): Promise<Blob | undefined> {
  try {
    const file = await readFile(new URL('../../prepared-database.tar.gz', import.meta.url));
    return new Blob([new Uint8Array(await promisify(gunzip)(file))]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

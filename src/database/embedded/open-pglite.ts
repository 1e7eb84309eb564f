import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { PGlite } from '@electric-sql/pglite';
import { guardRuntime } from './guard-runtime.js';
import { filesOfDatabase, openFilesLimit, requireSpace } from './requirements.js';

/** The embedded database could not be opened; the message says of which directory, and what it said. */
export class OpenError extends Error {
  override readonly name = 'OpenError';

  constructor(directory: string | null, cause: unknown) {
    // The runtime's errors of files are objects without a message.
    const reason = cause instanceof Error ? cause.message : JSON.stringify(cause);
    super(`the embedded database in ${directory ?? 'memory'} could not be opened: ${reason}`, { cause });
  }
}

/**
 * Resident from the start. PostgreSQL's own 128 MB are a third of the process; what is not here, the system has in its
 * page cache.
 */
const sharedBuffers = '32MB';

/**
 * Opens the database in a directory, or a new one in memory. A new one begins with the prepared database, or without a
 * table if `prepared` is false. Rejects with `RequirementError` for want of space or files.
 */
export async function openPglite(directory: string | null, prepared = true): Promise<PGlite> {
  const { PGlite: Embedded } = await import('@electric-sql/pglite');
  const isNew = directory === null || !existsSync(join(directory, 'PG_VERSION'));
  if (directory !== null) await requireSpace(dirname(directory), { isNew });
  const settings = { shared_buffers: sharedBuffers, max_files_per_process: filesOfDatabase(openFilesLimit()) };
  let pglite: PGlite;
  try {
    pglite = await Embedded.create({
      dataDir: directory ?? 'memory://',
      startParams: [
        ...Embedded.defaultStartParams,
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      ...(isNew && prepared && { loadDataDir: await preparedDatabase() }),
    });
  } catch (error) {
    // A part of a new one would be taken for a whole one.
    if (isNew && directory !== null) await rm(directory, { recursive: true, force: true });
    throw new OpenError(directory, error);
  }
  guardRuntime(pglite);
  // A list is planned for the values that it is asked for; statements of transactions, which find rows by their keys,
  // are not (driver.ts). ANALYZE reads 300 rows for each unit of the target, and everybody waits for it: up to 125 ms
  // for a target of 20 and wide rows, more than a second for PostgreSQL's own 100.
  await pglite.exec('set plan_cache_mode to force_custom_plan; set default_statistics_target to 10');
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

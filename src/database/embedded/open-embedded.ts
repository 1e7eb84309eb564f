import { existsSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { DatabaseThread, threadEntry, type ThreadOptions } from './database-thread.js';
import type { EmbeddedDatabase } from './embedded-database.js';
import { LocalDatabase } from './local-database.js';
import { openPglite, sessionSettings } from './open-pglite.js';

/** Opens the embedded database in a thread of its own; one that is open already stays in this thread, and its owner closes it. */
export async function openEmbeddedDatabase(
  options: ThreadOptions & { pglite?: PGlite | undefined },
): Promise<EmbeddedDatabase> {
  if (options.pglite) {
    await options.pglite.exec(`set timezone to 'UTC'`);
    return new LocalDatabase(options.pglite, false);
  }
  if (options.entry || existsSync(threadEntry)) {
    const thread = new DatabaseThread(options);
    await thread.open();
    return thread;
  }
  // Sources that run without a build have no file that a thread could run.
  const pglite = await openPglite(options.directory);
  await pglite.exec(sessionSettings);
  return new LocalDatabase(pglite, true);
}

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type CopiedRows, copyDatabase } from '../../../database/copy/copy-database.js';
import { tablesInUse } from '../../../database/copy/tables.js';
import { migrate } from '../../../database/migrate.js';
import type { OpenDatabase } from '../../../database/open.js';
import type { Services } from '../../../services/services.js';
import { installationId } from '../storage/installation-id.js';

/** A move cannot be made; the message is for the operator. */
export class MoveError extends Error {
  override readonly name = 'MoveError';
}

/** A server says every few seconds that it listens to agents; one that said nothing for so long has stopped. */
const stoppedForSeconds = 30;

/**
 * Moves all rows of this installation to another, empty database. Bytes stay where they are. Afterwards the old
 * database is that of another installation, so that no server starts with it on the storage by mistake. Throws
 * {@link MoveError} while a server runs, and if the other database is not empty.
 */
export async function moveDatabase(
  { database: from, services }: { database: OpenDatabase; services: Services },
  to: OpenDatabase,
  progress: (table: string, rows: number) => void = () => undefined,
): Promise<CopiedRows> {
  await requireStoppedServers(from);
  await migrate(to);
  const used = await tablesInUse(to.db);
  if (used.length > 0)
    throw new MoveError(
      `the database to move to is not empty: it has rows in ${used.slice(0, 3).join(', ')}. Name an empty one`,
    );
  // Made at the first start: the copy must have it too.
  await installationId(services);
  const copied = await copyDatabase(from, to, progress);
  await services.db.updateTable('installations').set({ installationId: randomUUID() }).execute();
  return copied;
}

async function requireStoppedServers({ db }: OpenDatabase): Promise<void> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from now() - max(looked_at))::float8 as seconds from listening_clocks`.execute(db);
  const seconds = rows[0]?.seconds ?? null;
  if (seconds === null || Math.abs(seconds) > stoppedForSeconds) return;
  throw new MoveError(
    `a server used this database ${Math.round(Math.abs(seconds))} s ago: stop all servers, wait ` +
      `${stoppedForSeconds} s, and run this again. What they write during a move would be lost`,
  );
}

import { sql } from 'kysely';
import { isEmbedded } from '../../database/open.js';
import type { Services } from '../../services/services.js';

/** Bytes of the write-ahead log since the last checkpoint after which there is a new one: four of its files. */
const walBytes = 64 * 1024 * 1024;

/**
 * Makes a checkpoint in an embedded database whose write-ahead log has grown, so that its older files are used again:
 * it has no process that would, so that the log held all that was ever written, and a start after a kill read all of
 * it. Gives whether it made one.
 */
export async function boundWal({ db }: Pick<Services, 'db'>): Promise<boolean> {
  if (!isEmbedded(db)) return false;
  const { rows } = await sql<{ due: boolean }>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) >
      ${walBytes}::int as due from pg_control_checkpoint()`.execute(db);
  if (!rows[0]?.due) return false;
  await sql`checkpoint`.execute(db);
  return true;
}

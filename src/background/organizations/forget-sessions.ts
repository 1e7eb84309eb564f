import { sql } from 'kysely';
import { idleSince } from '../../auth/sessions.js';
import type { Db } from '../../entities/database.js';
import type { Services } from '../../services/services.js';
import { type DoomedRows, deleteSome } from '../deletions/delete-some.js';

const atOnce = 1_000;
/** Batches of one table in one round: the rest waits for the next one. */
const batches = 200;
/** Counters of attempts to sign in: callers choose the accounts and the addresses, so age alone bounds nothing. */
export const signInAttemptsKept = 100_000;

/**
 * Deletes sessions, one-time sign-in addresses and counted attempts that are over, and beyond {@link
 * signInAttemptsKept} the counters that would be over first; in batches. Returns the number of sessions.
 */
export async function forgetSessions({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  const now = clock.now();
  const sessions = await deleteAll(db, {
    table: 'sessions',
    where: sql`expires_at <= ${now} or last_used_at <= ${idleSince(now)}`,
  });
  await deleteAll(db, { table: 'sign_in_addresses', where: sql`expires_at <= ${now}` });
  // The library that counts goes by the time of the process.
  await deleteAll(db, { table: 'sign_in_attempts', where: sql`expire < ${Date.now()}` });
  const { rows } = await sql<{ expire: string }>`
    select expire from sign_in_attempts order by expire desc offset ${signInAttemptsKept}::int limit 1`.execute(db);
  if (rows[0]) await deleteAll(db, { table: 'sign_in_attempts', where: sql`expire <= ${rows[0].expire}` });
  return sessions;
}

async function deleteAll(db: Db, doomed: DoomedRows): Promise<number> {
  let deleted = 0;
  for (let batch = 0; batch < batches; batch += 1) {
    const some = await deleteSome(db, [doomed], atOnce);
    deleted += some;
    if (some < atOnce) break;
  }
  return deleted;
}

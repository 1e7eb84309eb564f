import { sql } from 'kysely';
import { idleSince } from '../../auth/sessions.js';
import { limits } from '../../domain/limits/limits.js';
import type { Db } from '../../entities/database.js';
import type { Services } from '../../services/services.js';
import { type DoomedRows, deleteSome } from '../deletions/delete-some.js';

/** Time for which an answer to a program outlives its code. */
const grantsKeptMs = limits.oauthDeviceMinutes * 60_000;
const atOnce = 1_000;
/** Batches of one table in one round: the rest waits for the next one. */
const batches = 200;
/** Counters of attempts to sign in: callers choose the accounts and the addresses, so age alone bounds nothing. */
export const signInAttemptsKept = 100_000;

/**
 * Deletes what is over of sessions, one-time sign-in addresses, programs of OAuth with their grants, and counted
 * attempts, and beyond {@link signInAttemptsKept} the counters that would be over first; in batches. Returns the number
 * of sessions.
 */
export async function forgetSessions({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  const now = clock.now();
  const sessions = await deleteAll(db, {
    table: 'sessions',
    where: sql`expires_at <= ${now} or last_used_at <= ${idleSince(now)}`,
  });
  await deleteAll(db, { table: 'sign_in_addresses', where: sql`expires_at <= ${now}` });
  await deleteAll(db, { table: 'oauth_clients', where: sql`expires_at <= ${now}` });
  // A code that is shown again must still be known for a while.
  await deleteAll(db, { table: 'oauth_grants', where: sql`expires_at <= ${new Date(now.getTime() - grantsKeptMs)}` });
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

import { idleSince } from '../../auth/sessions.js';
import type { Services } from '../../services.js';

/** Deletes sessions, one-time sign-in addresses and counted attempts that are over. Returns the number of sessions. */
export async function forgetSessions({ db, clock }: Services): Promise<number> {
  const now = clock.now();
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('expiresAt', '<=', now), eb('lastUsedAt', '<=', idleSince(now))]))
    .executeTakeFirst();
  await db.deleteFrom('sign_in_addresses').where('expiresAt', '<=', now).execute();
  // The library that counts goes by the time of the process.
  await db.deleteFrom('sign_in_attempts').where('expire', '<', Date.now()).execute();
  return Number(numDeletedRows);
}

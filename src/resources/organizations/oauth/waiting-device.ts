import { hashToken } from '../../../auth/secrets.js';
import type { Scope } from '../../../domain/organizations/scopes.js';
import type { Context } from '../../../request/context.js';
import { findSignedIn, type SignedInSubject } from '../sessions/own-session.js';

/** A program that waits for the person who has its code. */
export interface WaitingDevice {
  id: string;
  /** What the program calls itself. */
  name: string;
  client: string;
  scopes: readonly Scope[];
}

export interface WaitingDeviceSubject extends SignedInSubject {
  grant: WaitingDevice;
}

/**
 * Finds the program that waits behind a code that the person who is signed in has typed; null for a code that there is
 * not, that was answered, or that is over.
 */
export async function findWaitingDevice(
  context: Context,
  userCode: string,
  { lock = false } = {},
): Promise<WaitingDeviceSubject | null> {
  const subject = await findSignedIn(context);
  if (!subject) return null;
  let query = context.db
    .selectFrom('oauth_grants')
    .select(['id', 'client', 'clientName', 'scopes'])
    .where('userCodeHash', '=', hashToken(userCode))
    .where('state', '=', 'pending')
    .where('expiresAt', '>', context.now);
  if (lock) query = query.forUpdate();
  const row = await query.executeTakeFirst();
  if (!row) return null;
  const { id, client, clientName: name, scopes } = row;
  return { ...subject, grant: { id, name, client, scopes: scopes as Scope[] } };
}

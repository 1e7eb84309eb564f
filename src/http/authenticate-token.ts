import type { IncomingMessage } from 'node:http';
import type { UserActor } from '../auth/actor.js';
import { authenticateUser } from '../auth/authenticate.js';
import type { Services } from '../services/services.js';
import { originOf } from './client-address.js';

/**
 * The user behind the API token in a request's `Authorization` header, and notes the use. `authorization` replaces the
 * header where the token came another way, `now` and `db` are the time and the connections to look it up with. Throws
 * `unauthenticated` for any other caller.
 */
export async function authenticateToken(
  services: Services,
  request: IncomingMessage,
  authorization = request.headers.authorization,
  { now = services.clock.now(), db = services.db }: { now?: Date; db?: Services['db'] } = {},
): Promise<UserActor> {
  const origin = originOf(request, services.trustsProxy);
  const actor = await authenticateUser({ db, now, ipAddress: origin.ipAddress }, authorization);
  noteUse(services, origin, actor, now);
  return actor;
}

/** Notes that a caller has used an API token. */
export function noteUse(
  { credentialUses }: Services,
  from: { ipAddress: string | null; userAgent: string | null },
  { apiTokenId }: UserActor,
  at: Date,
): void {
  if (apiTokenId !== null) credentialUses?.note('api_token', apiTokenId, { at, ...from });
}

import type { IncomingMessage } from 'node:http';
import type { UserActor } from '../auth/actor.js';
import { authenticateUser } from '../auth/authenticate.js';
import type { Services } from '../services.js';
import { clientAddress } from './client-address.js';

/**
 * The user behind the API token in a request's `Authorization` header, and notes the use. `authorization` replaces the
 * header where the token came another way. Throws `unauthenticated` for any other caller.
 */
export async function authenticateToken(
  { db, clock, credentialUses, trustsProxy }: Services,
  request: IncomingMessage,
  authorization = request.headers.authorization,
): Promise<UserActor> {
  const now = clock.now();
  const ipAddress = clientAddress(request, trustsProxy);
  const actor = await authenticateUser({ db, now, ipAddress }, authorization);
  if (actor.apiTokenId !== null)
    credentialUses?.note('api_token', actor.apiTokenId, {
      at: now,
      ipAddress,
      userAgent: request.headers['user-agent'] ?? null,
    });
  return actor;
}

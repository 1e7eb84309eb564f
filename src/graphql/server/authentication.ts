import type { Request } from 'express';
import type { UserActor } from '../../auth/actor.js';
import { authenticateUser } from '../../auth/authenticate.js';
import type { Services } from '../../services.js';

/** Returns the user behind the API token of the Authorization header; throws `unauthenticated` for any other caller. */
export function authenticate(services: Services, request: Request): Promise<UserActor> {
  return authenticateHeader(services, request.headers.authorization);
}

/** Does the same for a header value received in another way, such as by WebSocket. */
export function authenticateHeader({ db, clock }: Services, authorization: string | undefined): Promise<UserActor> {
  return authenticateUser({ db, now: clock.now() }, authorization);
}

import type { Request } from 'express';
import type { UserActor } from '../auth/actor.js';
import { authenticateUser } from '../auth/authenticate.js';
import type { Services } from '../context.js';

/** Who asks: the user behind the API token of the Authorization header, and nobody else. Throws `unauthenticated`. */
export function authenticate(services: Services, request: Request): Promise<UserActor> {
  return authenticateHeader(services, request.headers.authorization);
}

/** The same for what came another way than in a header, as it does with a WebSocket. */
export function authenticateHeader({ db, clock }: Services, authorization: string | undefined): Promise<UserActor> {
  return authenticateUser({ db, now: clock.now() }, authorization);
}

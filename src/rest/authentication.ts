import type { Request } from 'express';
import type { UserActor } from '../auth/actor.js';
import { authenticateUser } from '../auth/authenticate.js';
import type { Services } from '../context.js';

/** Who asks: the user behind the API token of the Authorization header, and nobody else. Throws `unauthenticated`. */
export function authenticate({ db, clock }: Services, request: Request): Promise<UserActor> {
  return authenticateUser({ db, now: clock.now() }, request.headers.authorization);
}

import type { SuiteActor } from '../auth/actor.js';
import { authenticateSuite } from '../auth/authenticate.js';
import type { Services } from '../context.js';

/** The suite that the request's token belongs to. Throws `unauthenticated` for anybody else. */
export function authenticate({ db }: Services, header: string | undefined): Promise<SuiteActor> {
  return authenticateSuite({ db }, header);
}

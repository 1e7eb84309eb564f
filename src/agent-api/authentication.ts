import type { Actor } from '../auth/actor.js';
import { tokenOf } from '../auth/agent-header.js';
import { authenticateAgent } from '../auth/authenticate.js';
import { readJobToken } from '../auth/job-token.js';
import type { Services } from '../services/services.js';
import { Problem } from '../domain/problem.js';

/**
 * Returns the caller behind `Authorization: Token …`. A job token is outdated once the job was given to another agent:
 * it is refused with 422, at which agents of every version stop retrying, or with 401 on a poll of the job, at which
 * they stop the job.
 */
export async function authenticateCaller(
  services: Services,
  method: string,
  header: string | undefined,
): Promise<Actor> {
  try {
    return await authenticateAgent({ db: services.db, now: services.clock.now() }, services.secretKey, header);
  } catch (error) {
    const token = /^Token +(\S+)$/i.exec(header ?? '')?.[1] ?? '';
    const stale =
      error instanceof Problem && error.code === 'unauthenticated' && readJobToken(services.secretKey, token) !== null;
    if (stale && method !== 'GET') throw new Problem('wrong_state', 'The job is no longer held by this agent');
    throw error;
  }
}

/** Whether the token is one that this installation gave to a job, now or once. */
export function isJobToken({ secretKey }: Services, header: string | undefined): boolean {
  return readJobToken(secretKey, tokenOf(header) ?? '') !== null;
}

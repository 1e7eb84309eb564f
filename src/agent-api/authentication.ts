import type { Actor } from '../auth/actor.js';
import { authenticateAgent } from '../auth/authenticate.js';
import { readJobToken } from '../auth/job-token.js';
import type { Services } from '../context.js';
import { Problem } from '../domain/problem.js';

/**
 * The caller behind `Authorization: Token …`. A job token of ours that is no longer good, because the job was given
 * out again, is refused with 422, at which agents of every version stop trying; on a poll of the job with 401, at
 * which they stop the job.
 */
export async function authenticateCaller(services: Services, method: string, header: string | undefined): Promise<Actor> {
  try {
    return await authenticateAgent({ db: services.db, now: services.clock.now() }, services.secretKey, header);
  } catch (error) {
    const token = /^Token +(\S+)$/i.exec(header ?? '')?.[1] ?? '';
    const stale = error instanceof Problem && error.code === 'unauthenticated' && readJobToken(services.secretKey, token) !== null;
    if (stale && method !== 'GET') throw new Problem('wrong_state', 'The job is not held by this agent any more');
    throw error;
  }
}

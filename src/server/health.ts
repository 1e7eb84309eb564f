import type { RequestHandler } from 'express';
import { sql } from 'kysely';
import type { Services } from '../context.js';

const patience = 3_000;

/**
 * `GET /healthz`: 200 while the database answers within three seconds, 503 otherwise. (Before the migrations are
 * done and while draining the gate answers 503.)
 */
export function health(services: Services): RequestHandler {
  return async (_request, response) => {
    response.set('Cache-Control', 'no-store');
    try {
      await within(sql`select 1`.execute(services.db), patience);
      response.json({ status: 'ok' });
    } catch (error) {
      services.log.error({ err: error }, 'health check: the database does not answer');
      response.status(503).json({ status: 'unavailable', message: 'The database does not answer' });
    }
  };
}

async function within<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}

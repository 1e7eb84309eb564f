import type { RequestHandler } from 'express';
import type { Services } from '../../services/services.js';
import type { Problem } from '../../domain/problem.js';
import { boundRequest } from '../../http/request-bounds.js';
import { problemReply } from '../replies/problems.js';

/** Longest pause of a client that reads a reply. */
export const idleMs = 60_000;

/**
 * Gives every request its bounds (`response.locals.bounds`). Answers 503 if no reply has begun within `requestSeconds`,
 * and disconnects clients that stop reading. Database reads end then; a command that has begun is finished and its
 * reply dropped.
 */
export function withTimeout(services: Services): RequestHandler {
  return (_request, response, next) => {
    const bounds = boundRequest(services, response);
    response.locals['bounds'] = bounds;
    bounds.signal.addEventListener('abort', () => {
      if (response.headersSent || response.destroyed) return;
      const reply = problemReply(bounds.signal.reason as Problem);
      response.status(reply.status).set(reply.headers).json(reply.body);
    });
    response.setTimeout(idleMs, () => response.destroy());
    next();
  };
}

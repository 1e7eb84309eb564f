import type { RequestHandler } from 'express';
import { Problem } from '../domain/problem.js';
import { problemReply } from './problems.js';

/** How long a request may take until its reply begins; how long a reader of a reply may stand still. */
const replyWithinMs = 30_000;
const idleMs = 60_000;

/**
 * Answers 503 when no reply has begun in time, and cuts off readers that stop reading: neither a slow statement nor a
 * slow client holds a request for ever. Work that is under way goes on; its reply is dropped.
 */
export function withTimeout(withinMs = replyWithinMs): RequestHandler {
  return (_request, response, next) => {
    const timer = setTimeout(() => {
      if (response.headersSent) return;
      const reply = problemReply(new Problem('unavailable', 'The request took too long. Please try again.', { retryAfter: 5 }));
      response.status(reply.status).set(reply.headers).json(reply.body);
    }, withinMs);
    timer.unref();
    response.once('close', () => clearTimeout(timer));
    response.setTimeout(idleMs, () => response.destroy());
    next();
  };
}

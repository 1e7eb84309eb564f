import type { ErrorRequestHandler, RequestHandler } from 'express';
import { v7 } from 'uuid';
import type { Logger } from '../context.js';
import { type Metrics, routeTemplate } from './metrics.js';

/** Asked every few seconds by every agent, probe and scraper: worth a line only when somebody looks for it. */
const frequent = /^\/(v3|healthz|metrics|agentedge\.)/;

/**
 * Gives every reply an `X-Request-Id` (the one a proxy in front gave, where it did) and, once it is sent, a log line and a metric. Paths are logged as route
 * templates: badge, webhook and signed file URLs hold secrets.
 */
export function requestRecords(log: Logger, metrics: Metrics | null): RequestHandler {
  return (request, response, next) => {
    const start = process.hrtime.bigint();
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && /^[A-Za-z0-9._:=+/-]{1,128}$/.test(given) ? given : v7();
    response.locals['requestId'] = requestId;
    response.setHeader('X-Request-Id', requestId);
    response.once('close', () => {
      const seconds = Number(process.hrtime.bigint() - start) / 1e9;
      metrics?.observe(request, response.statusCode, seconds);
      const fields = {
        request_id: response.getHeader('X-Request-Id'),
        method: request.method,
        route: routeTemplate(request),
        status: response.statusCode,
        ms: Math.round(seconds * 1000),
        ...(response.writableFinished ? {} : { aborted: true }),
      };
      if (response.statusCode >= 500) log.error(fields, 'request failed');
      else if (frequent.test(request.originalUrl)) log.debug(fields, 'request');
      else log.info(fields, 'request');
    });
    next();
  };
}

/** The answer of the whole origin to what no surface knows. */
export const notFound: RequestHandler = (_request, response) => {
  response.status(404).json({ message: 'Not Found' });
};

/** The last resort: a request that cannot be read is 400, everything else is our fault and says nothing of the inside. */
export function failures(log: Logger): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const status = typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 500;
    if (status >= 400 && status < 500) {
      response.status(status).json({ message: status === 413 ? 'Payload Too Large' : 'Bad Request' });
      return;
    }
    const requestId = response.getHeader('X-Request-Id');
    log.error({ err: error, request_id: requestId }, 'unexpected error');
    response.status(500).json({ message: 'Internal Server Error', request_id: requestId });
  };
}

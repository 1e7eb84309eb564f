import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { plainReply, problemOf } from '../http/problem-reply.js';
import type { Logger, Services } from '../services/services.js';
import { clientAddress, isSecure } from '../http/client-address.js';
import { setRequestId } from '../http/request-id.js';
import { requestFields } from '../http/request-fields.js';
import type { RequestSpan } from '../tracing/tracing.js';
import type { Metrics } from './metrics.js';

/** Paths that every agent, probe and scraper requests every few seconds: logged at level `debug` only. */
const frequent = /^\/(v3|healthz|readyz|metrics|agentedge\.)/;

/**
 * Gives a reply an `X-Request-Id`, that of the proxy in front if it sent one, and records a log line and a metric
 * once it is sent, and ends the request's span where there is one. Called before Express has the request: some are
 * answered without it.
 */
export function requestRecords(
  { log, trustsProxy }: Pick<Services, 'log' | 'trustsProxy'>,
  metrics: Metrics | null,
): (request: IncomingMessage, response: ServerResponse, span?: RequestSpan) => void {
  return (plainRequest, plainResponse, span) => {
    const start = process.hrtime.bigint();
    // What Express adds to them is there once it has them, and what is read below of others is optional.
    const [request, response] = [plainRequest as Request, plainResponse as Response];
    response.locals = Object.create(null) as Response['locals'];
    response.locals['requestId'] = setRequestId(request, response);
    if (span) response.locals['traceId'] = span.traceId;
    // The socket has no address any more once it is closed.
    const remoteAddress = clientAddress(request, trustsProxy);
    const secure = isSecure(request, trustsProxy);
    const url = request.url;
    response.once('close', () => {
      const seconds = Number(process.hrtime.bigint() - start) / 1e9;
      metrics?.observe(request, response, seconds);
      span?.end(spanFacts(request, response));
      const fields = {
        ...requestFields(request, response),
        remote_address: remoteAddress,
        protocol: secure ? 'https' : 'http',
        status: response.statusCode,
        ms: Math.round(seconds * 1000),
        ...(response.writableFinished ? {} : { aborted: true }),
      };
      if (response.statusCode >= 500) log.error(fields, 'request failed');
      else if (frequent.test(url)) log.debug(fields, 'request');
      else log.info(fields, 'request');
    });
  };
}

/** What the span of a request says: its route and never its path, which may hold secrets. */
function spanFacts(request: Request, response: Response): Parameters<RequestSpan['end']>[0] {
  const { method, route, request_id, actor, actor_id, organization, organization_id } = requestFields(
    request,
    response,
  );
  return {
    name: `${method} ${route}`,
    isError: response.statusCode >= 500,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': response.statusCode,
      'slipway.request_id': request_id,
      'slipway.actor': actor,
      'slipway.actor_id': actor_id,
      'slipway.organization': organization ?? organization_id,
    },
  };
}

/** Answers 404 to paths that belong to no surface. */
export const notFound: RequestHandler = (_request, response) => {
  response.status(404).json({ message: 'Not Found' });
};

/**
 * Error handler of the whole application: a request that cannot be read is 400, everything else is 500 without internal
 * details.
 */
export function failures(log: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const requestId = response.getHeader('X-Request-Id');
    const problem = problemOf(error);
    if (problem?.code === 'unavailable') {
      log.warn({ ...requestFields(request, response), err: error }, 'the database is unavailable');
      const { status, headers, body } = plainReply(problem, String(requestId));
      response.status(status).set(headers).json(body);
      return;
    }
    const status = typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 500;
    if (status >= 400 && status < 500) {
      response.status(status).json({ message: status === 413 ? 'Payload Too Large' : 'Bad Request' });
      return;
    }
    log.error({ ...requestFields(request, response), err: error }, 'unexpected error');
    response.status(500).json({ message: 'Internal Server Error', request_id: requestId });
  };
}

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type RequestHandler, type Router } from 'express';
import type { Services } from '../services/services.js';
import { inLane, type Lane } from '../database/lanes.js';
import { healthHandlers } from './health.js';
import { createMetrics } from './metrics.js';
import type { ServerProcesses } from './processes/member.js';
import { currentTracer } from '../tracing/tracing.js';
import { isSentToReports } from '../http/own-origin.js';
import { failures, notFound, requestRecords } from './requests.js';

/** The surfaces by the path they are mounted at; `server.ts` builds them, in order. */
export interface Surface {
  path: string;
  router: Router;
  /**
   * Has every request below the path before the router, outside of Express; calls `next` with those that it does not
   * answer.
   */
  first?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  /** The database connections that its requests use; `requests` where absent. */
  lane?: Lane;
}

/** Requests that nobody wants to see in traces. */
const probes = /^\/(healthz|readyz|metrics)(\?|$)/;

/** Answers `GET /` with the API's greeting for clients that accept JSON; the console answers browsers. */
const greeting: RequestHandler = (request, response, next) => {
  response.vary('Accept');
  if (request.accepts(['html', 'json']) !== 'json') {
    next();
    return;
  }
  response.json({ message: '🛠', timestamp: Math.floor(Date.now() / 1000) });
};

/** Puts the surfaces, health, metrics and the answers that belong to no surface behind one origin. */
export function createApplication(
  services: Services,
  surfaces: Surface[],
  options: {
    metrics: boolean;
    isMigrated?: () => Promise<boolean>;
    processes?: ServerProcesses | undefined;
    /** Directory whose disk the metrics watch; none if absent. */
    disk?: string | null;
  },
): RequestListener {
  const application = express();
  application.disable('x-powered-by');
  application.disable('etag');
  application.set('query parser', 'simple');
  application.set('trust proxy', services.trustsProxy ?? false);
  const metrics = options.metrics ? createMetrics(services, options.processes, options.disk) : null;
  const { health, readiness } = healthHandlers(services, { isMigrated: options.isMigrated ?? (async () => true) });
  application.get('/healthz', health);
  application.get('/readyz', readiness);
  // This path and no other spelling of it: proxies hide it by its name.
  if (metrics)
    application.get('/metrics', (request, response, next) =>
      request.path === '/metrics' ? metrics.handler(request, response, next) : next(),
    );
  application.get('/', greeting);
  for (const { path, router, lane = 'requests' } of surfaces)
    application.use(path, (_request, _response, next) => inLane(lane, next), router);
  application.use(notFound);
  application.use(failures(services.log));
  const record = requestRecords(services, metrics);
  const fronts = surfaces.flatMap(({ path, first }) => (first ? [{ below: `${path}/`, first }] : []));
  const isElsewhere = (request: IncomingMessage) =>
    !request.url?.startsWith('/files/reports/') && isSentToReports(services, request);
  const answer: RequestListener = (request, response) => {
    // A page of a report shares its host with nothing that has a session or takes a token.
    if (isElsewhere(request)) {
      response.writeHead(404, { 'Content-Type': 'application/json; charset=utf-8' }).end('{"message":"Not Found"}');
      return;
    }
    const front = fronts.find(({ below }) => request.url?.startsWith(below));
    if (front) front.first(request, response, () => application(request, response));
    else application(request, response);
  };
  return (request, response) => {
    const tracer = probes.test(request.url ?? '') ? null : currentTracer();
    if (!tracer) {
      record(request, response);
      answer(request, response);
      return;
    }
    tracer.request(request.headers, (span) => {
      record(request, response, span);
      answer(request, response);
    });
  };
}

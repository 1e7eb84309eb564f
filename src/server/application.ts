import express, { type Express, type RequestHandler, type Router } from 'express';
import { refuseStreamPings, streamPingsPath } from '../agent-api/router.js';
import type { Services } from '../context.js';
import { health } from './health.js';
import { createMetrics } from './metrics.js';
import { failures, notFound, requestRecords } from './requests.js';

/** The surfaces by the path they are mounted at; `server.ts` builds them, in order. */
export interface Surface {
  path: string;
  router: Router;
}

/** Answers `GET /` with the API's greeting to who asks for JSON; the console answers the rest (rulings 4). */
const greeting: RequestHandler = (request, response, next) => {
  response.vary('Accept');
  if (request.accepts(['html', 'json']) !== 'json') {
    next();
    return;
  }
  response.json({ message: '🛠', timestamp: Math.floor(Date.now() / 1000) });
};

/** Puts the surfaces, health, metrics and the answers that belong to no surface behind one origin. */
export function createApplication(services: Services, surfaces: Surface[], options: { metrics: boolean }): Express {
  const application = express();
  application.disable('x-powered-by');
  application.disable('etag');
  application.set('query parser', 'simple');
  const metrics = options.metrics ? createMetrics(services) : null;
  application.use(requestRecords(services.log, metrics));
  application.get('/healthz', health(services));
  if (metrics) application.get('/metrics', metrics.handler);
  application.all(streamPingsPath, refuseStreamPings);
  application.get('/', greeting);
  for (const { path, router } of surfaces) application.use(path, router);
  application.use(notFound);
  application.use(failures(services.log));
  return application;
}

import express, { type NextFunction, type Request, type RequestHandler, type Response, type Router } from 'express';
import type { Services } from '../services/services.js';
import { Problem } from '../domain/problem.js';
import { compressReplies } from '../http/compress-replies.js';
import { problemOf } from '../http/problem-reply.js';
import { isSecure } from '../http/client-address.js';
import { requestFields } from '../http/request-fields.js';
import { setRequestId } from '../http/request-id.js';
import type { RequestBounds } from '../http/request-bounds.js';
import { handleRoute } from './handle-route.js';
import { CachedReads } from './cached-reads.js';
import { setCommonHeaders, setPreflightHeaders } from './replies/headers.js';
import { openApiDocument } from './openapi.js';
import { type ErrorReply, faultReply, problemReply } from './replies/problems.js';
import { startedAt } from './replies/send-reply.js';
import { RateLimits } from './requests/rate-limit.js';
import type { Method, Route } from './route.js';
import { routes as allRoutes } from './routes.js';
import { withTimeout } from './requests/timeout.js';

/**
 * The REST surface, generated from the table: `router` is to be mounted at `/v2`, and `first` answers a read whose
 * reply is kept before the router has it. Every path also answers with a trailing slash, HEAD where it answers GET,
 * OPTIONS, and 405 with `Allow` for the rest.
 */
export function restSurface(
  services: Services,
  routes: readonly Route[] = allRoutes,
): { router: Router; first: CachedReads['handle'] } {
  const rateLimits = new RateLimits(services);
  const keptReads = new CachedReads(services, rateLimits);
  const router = express.Router({ caseSensitive: true, strict: false });
  router.use(keptReads.handle);
  router.use((request, response, next) => {
    const requestId = setRequestId(request, response);
    response.locals['requestId'] = requestId;
    startedAt.set(response, startedAt.get(response) ?? process.hrtime.bigint());
    setCommonHeaders(
      response,
      requestId,
      services.baseUrl.startsWith('https:') || isSecure(request, services.trustsProxy),
    );
    next();
  });
  router.use(compressReplies());
  router.use(withTimeout(services));
  router.get('/openapi.json', serveDocument(services, routes));
  for (const [path, methods] of byPath(routes)) {
    const endpoint = router.route(path.replace(/\{(\w+)\}/g, ':$1'));
    for (const [method, route] of methods) endpoint[method](handleRoute(services, route, { rateLimits, keptReads }));
    endpoint.options(preflight([...methods.keys()]));
    endpoint.all(refuseMethod([...methods.keys()]));
  }
  router.use((request: Request) => {
    const path = request.originalUrl.split('?', 1)[0] ?? '';
    throw new Problem('not_found', `No route matches ${path.replace(/^\/+/, '').slice(0, 300)}`);
  });
  router.use(answerProblem(services));
  return { router, first: keptReads.handle };
}

/** Builds the document on first request, because most processes are never asked for it. */
function serveDocument(services: Services, routes: readonly Route[]): RequestHandler {
  let text: string | null = null;
  return (_request, response) => {
    text ??= JSON.stringify(openApiDocument(services.baseUrl, routes));
    response.set('Cache-Control', 'public, max-age=300').type('application/json').send(text);
  };
}

function byPath(routes: readonly Route[]): Map<string, Map<Method, Route>> {
  const paths = new Map<string, Map<Method, Route>>();
  for (const route of routes) {
    const methods = paths.get(route.path) ?? new Map<Method, Route>();
    if (methods.has(route.method)) throw new Error(`two routes for ${route.method} ${route.path}`);
    paths.set(route.path, methods.set(route.method, route));
  }
  return paths;
}

function allowed(methods: Method[]): string {
  const names = methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
  return [...names, 'OPTIONS'].join(', ');
}

function preflight(methods: Method[]): RequestHandler {
  return (_request, response) => {
    setPreflightHeaders(response);
    response.set('Allow', allowed(methods)).status(204).end();
  };
}

function refuseMethod(methods: Method[]): RequestHandler {
  return (_request, response) => {
    response.set('Allow', allowed(methods)).status(405).json({ message: 'Method Not Allowed' });
  };
}

const replyHeaders = [
  'Content-Type',
  'Content-Length',
  'Content-Range',
  'Content-Security-Policy',
  'Accept-Ranges',
  'ETag',
  'Link',
];

/** Answers every failure: a Problem by the status map, a URL that cannot be decoded, or an internal error. */
function answerProblem(services: Services) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const requestId = String(response.locals['requestId']);
    // The request was answered already, or its client is gone.
    const bounds = response.locals['bounds'] as RequestBounds | undefined;
    if (bounds?.signal.aborted && error === bounds.signal.reason) return;
    const reply = replyTo(error, response, requestId);
    if (reply.status >= 500) services.log.error({ ...requestFields(request, response), err: error }, 'request failed');
    if (response.headersSent) return void response.destroy();
    // A reply that was begun in another form must not lend its headers to this one.
    for (const name of replyHeaders) response.removeHeader(name);
    response
      .status(reply.status)
      .set({ 'Cache-Control': 'no-cache', ...reply.headers })
      .json(reply.body);
  };
}

function replyTo(error: unknown, response: Response, requestId: string): ErrorReply {
  const problem = problemOf(error);
  if (problem) return problemReply(problem, response.locals['refusal']);
  // Only the path is decoded by the router itself; our code reads everything else.
  if (error instanceof URIError) return problemReply(new Problem('malformed', 'The path cannot be decoded'));
  return faultReply(error, requestId);
}

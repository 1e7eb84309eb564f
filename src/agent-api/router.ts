import express, { type NextFunction, type Request, type RequestHandler, type Response, type Router } from 'express';
import { v4 } from 'uuid';
import { Context, type Services } from '../context.js';
import { notFound } from '../domain/problem.js';
import { perform } from '../operations/operation.js';
import { authenticateCaller } from './authentication.js';
import { errorReply } from './problems.js';
import { readBody } from './request-body.js';
import type { AgentRoute } from './route.js';
import { agentRoutes } from './routes.js';

/** Where agents try to open a stream of pings, at the root of the host whatever the endpoint's path. */
export const streamPingsPath = '/agentedge.v1.AgentEdgeService/StreamPings';

/** Sends agents that try to stream back to polling, at once: one left hanging would never work (trap T12). */
export const refuseStreamPings: RequestHandler = (_request, response) => {
  response.status(404).json({ message: 'Streaming pings are not supported' });
};

/** The agent protocol, generated from the table; to be mounted at `/v3`. Every answer is a JSON document. */
export function agentRouter(services: Services, routes: readonly AgentRoute[] = agentRoutes): Router {
  const router = express.Router({ caseSensitive: true, strict: false });
  router.use((request, response, next) => {
    const asked = request.get('X-Request-Id');
    const requestId = asked && /^[\w.:-]{1,100}$/.test(asked) ? asked : v4();
    response.locals['requestId'] = requestId;
    response.set({ 'X-Request-Id': requestId, 'Cache-Control': 'no-store' });
    next();
  });
  for (const each of routes) router[each.method](each.path, handleRoute(services, each));
  router.use(() => {
    throw notFound();
  });
  router.use(answerError(services));
  return router;
}

/** Serves one route: who calls, what, the operation, its answer. The body is read only of callers that are known. */
function handleRoute(services: Services, route: AgentRoute): RequestHandler {
  return async (request, response) => {
    const actor = await authenticateCaller(services, request.method, request.headers.authorization);
    const body = await readBody(request, response, route.body);
    const asked = { ...body, params: params(request), query: new URL(request.originalUrl, 'http://agent').searchParams };
    const context = new Context(services, {
      actor,
      door: 'agent',
      requestId: String(response.locals['requestId']),
      ipAddress: request.ip?.replace(/^::ffff:(?=\d+\.)/i, '') ?? null,
      userAgent: request.headers['user-agent'] ?? null,
    });
    const output = await perform(route.operation, context, route.input(asked));
    response.status(route.status).set(route.headers).json(route.reply(output as never, asked));
  };
}

/** Path parameters, decoded segment by segment: agents send every `.` and `/` in them percent-encoded. */
function params(request: Request): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.params)) {
    if (typeof value !== 'string' || value.includes('\0') || value.length > 300) throw notFound();
    found[name] = value;
  }
  return found;
}

function answerError(services: Services) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const requestId = String(response.locals['requestId']);
    const reply = errorReply(error, requestId);
    if (reply.status === 500) services.log.error({ requestId, method: request.method, path: request.path, err: error }, 'agent request failed');
    if (response.headersSent) return void response.destroy();
    response.status(reply.status).set(reply.headers).json(reply.body);
  };
}

import express, { type ErrorRequestHandler, type RequestHandler, type Router } from 'express';
import { Context } from '../context.js';
import type { Services } from '../services.js';
import { notFound } from '../domain/problem.js';
import { clientAddress } from '../http/client-address.js';
import { pathParameters } from '../http/path-parameters.js';
import { queryOf } from '../http/query.js';
import { requestFields } from '../http/request-fields.js';
import { setRequestId } from '../http/request-id.js';
import { perform } from '../core/operation.js';
import type { AgentDispatch } from '../dispatch/agent-dispatch.js';
import { authenticateCaller } from './authentication.js';
import { errorReply, publicDetails } from './problems.js';
import { quietPing, storedHeartbeat } from './quiet-calls.js';
import { readBody } from './request-body.js';
import { StackRates } from './stack-rates.js';
import type { AgentRoute } from './route.js';
import { agentRoutes } from './routes.js';
import { unsupported } from './unsupported.js';

/**
 * The agent protocol, generated from the table; to be mounted at `/v3`. Every answer is a JSON document. With `dispatch`
 * calls of idle agents are answered without an operation of their own.
 */
export function agentRouter(services: Services, dispatch: AgentDispatch | null = null): Router {
  const router = express.Router({ caseSensitive: true, strict: false });
  router.use((request, response, next) => {
    response.locals['requestId'] = setRequestId(request, response);
    response.set('Cache-Control', 'no-store');
    next();
  });
  for (const { path, handler } of unsupported) router.all(path, handler);
  if (dispatch) {
    router.get('/ping', quietPing(dispatch));
    router.post('/heartbeat', storedHeartbeat(services, dispatch));
  }
  const rates = new StackRates(services);
  for (const each of agentRoutes) router[each.method](each.path, handleRoute(services, each, rates));
  router.use(() => {
    throw notFound();
  });
  router.use(answerError(services));
  return router;
}

/** Serves one route: authenticates the caller, reads the body, performs the operation and sends its reply. */
function handleRoute(services: Services, route: AgentRoute, rates: StackRates): RequestHandler {
  return async (request, response) => {
    const actor = await authenticateCaller(services, request.method, request.headers.authorization);
    response.locals['actor'] = actor;
    const params = pathParameters(request);
    if (route.rate) await rates.count(actor, params['stack'] ?? '', route.rate, response);
    const body = await readBody(request, route.body);
    const agentRequest = { ...body, params, query: queryOf(request) };
    const context = new Context(services, {
      actor,
      surface: 'agent',
      requestId: String(response.locals['requestId']),
      ipAddress: clientAddress(request, services.trustsProxy),
      userAgent: request.headers['user-agent'] ?? null,
    });
    const output = await perform(route.operation, context, route.input(agentRequest));
    // `route()` has checked that status and reply take this operation's output; the table has forgotten its type.
    response
      .status(typeof route.status === 'number' ? route.status : route.status(output as never))
      .set(route.headers)
      .json(route.reply(output as never, agentRequest));
  };
}

/** Answers a failed call of an agent. */
export function answerError(services: Services): ErrorRequestHandler {
  return (error: unknown, request, response, _next): void => {
    const requestId = String(response.locals['requestId']);
    const reply = errorReply(error, requestId);
    if (reply.status === 500)
      services.log.error({ ...requestFields(request, response), err: error }, 'agent request failed');
    if (response.headersSent) return void response.destroy();
    response
      .status(reply.status)
      .set(reply.headers)
      .json({ ...reply.body, ...publicDetails(error) });
  };
}

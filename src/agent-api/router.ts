import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { Context, type RequestFacts } from '../context.js';
import type { Services } from '../services.js';
import { notFound } from '../domain/problem.js';
import { clientAddress } from '../http/client-address.js';
import { pathParameters } from '../http/path-parameters.js';
import { queryOf } from '../http/query.js';
import { requestFields } from '../http/request-fields.js';
import { setRequestId } from '../http/request-id.js';
import { perform } from '../core/operation.js';
import type { AgentDispatch } from '../dispatch/agent-dispatch.js';
import { authenticateCaller, mayHoldJobs } from './authentication.js';
import { errorReply } from './problems.js';
import { isJoined, JoinedCalls } from './joined-calls.js';
import { quietPing, storedHeartbeat } from './quiet-calls.js';
import { type ReadBody, readBody } from './request-body.js';
import type { AgentRequest, AgentRoute } from './route.js';
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
  const calls = dispatch && new JoinedCalls(services);
  for (const each of agentRoutes) {
    if (calls && isJoined(each.operation)) router[each.method](each.path, joinedCall(services, calls, each));
    router[each.method](each.path, handleRoute(services, each));
  }
  router.use(() => {
    throw notFound();
  });
  router.use(answerError(services));
  return router;
}

/** Serves one route: authenticates the caller, reads the body, performs the operation and sends its reply. */
function handleRoute(services: Services, route: AgentRoute): RequestHandler {
  return async (request, response) => {
    const actor = await authenticateCaller(services, request.method, request.headers.authorization);
    response.locals['actor'] = actor;
    const params = pathParameters(request);
    const body = (response.locals['body'] as ReadBody | undefined) ?? (await readBody(request, route.body));
    const agentRequest = { ...body, params, query: queryOf(request) };
    const context = new Context(services, { ...requestFacts(services, request, response), actor });
    send(response, route, agentRequest, await perform(route.operation, context, route.input(agentRequest)));
  };
}

/** Serves a route whose calls are carried out together; a call that goes its own way is left to {@link handleRoute}. */
function joinedCall(services: Services, calls: JoinedCalls, route: AgentRoute): RequestHandler {
  return async (request, response, next) => {
    const { authorization } = request.headers;
    const params = pathParameters(request);
    // Nobody sends a body before it is known whether the token may be one.
    if (!mayHoldJobs(services, authorization)) return next();
    const agentRequest = { ...(await readBody(request, route.body)), params, query: queryOf(request) };
    const done = await calls.perform({
      operation: route.operation,
      jobId: params['job'] ?? '',
      authorization,
      request: requestFacts(services, request, response),
      input: route.input(agentRequest),
    });
    if (!done) {
      response.locals['body'] = agentRequest;
      return next();
    }
    response.locals['actor'] = done.actor;
    if ('problem' in done.result) throw done.result.problem;
    send(response, route, agentRequest, done.result.output);
  };
}

const requestFacts = (services: Services, request: Request, response: Response): Omit<RequestFacts, 'actor'> => ({
  surface: 'agent',
  requestId: String(response.locals['requestId']),
  ipAddress: clientAddress(request, services.trustsProxy),
  userAgent: request.headers['user-agent'] ?? null,
});

function send(response: Response, route: AgentRoute, request: AgentRequest, output: unknown): void {
  // `route()` has checked that the reply takes this operation's output; the table has forgotten its type.
  response
    .status(route.status)
    .set(route.headers)
    .json(route.reply(output as never, request));
}

/** Answers a failed call of an agent. */
export function answerError(services: Services): ErrorRequestHandler {
  return (error: unknown, request, response, _next): void => {
    const requestId = String(response.locals['requestId']);
    const reply = errorReply(error, requestId);
    if (reply.status === 500)
      services.log.error({ ...requestFields(request, response), err: error }, 'agent request failed');
    if (response.headersSent) return void response.destroy();
    response.status(reply.status).set(reply.headers).json(reply.body);
  };
}

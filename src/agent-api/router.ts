import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import type { RequestFacts } from '../request/context.js';
import type { Services } from '../services/services.js';
import { notFound } from '../domain/problem.js';
import { originOf } from '../http/client-address.js';
import { meterRequest, type RequestBounds } from '../http/request-bounds.js';
import { pathParameters } from '../http/path-parameters.js';
import { queryOf } from '../http/query.js';
import { requestFields } from '../http/request-fields.js';
import { setRequestId } from '../http/request-id.js';
import { perform } from '../core/operation.js';
import { appendLog } from '../operations/builds/logs/append.js';
import { JobCallBatches } from '../resources/builds/jobs/job-call-batches.js';
import type { AgentDispatch } from '../dispatch/agent-dispatch.js';
import { sessionTokenHash } from '../auth/agent-header.js';
import { authenticateCaller, isJobToken } from './authentication.js';
import { JsonList, sendList } from './json-list.js';
import { errorReply, publicDetails } from './problems.js';
import { batchOperations, readsBody } from './batch-operations.js';
import { quietPing, storedHeartbeat } from './quiet-calls.js';
import { type ReadBody, readBody } from './request-body.js';
import { StackRates } from './stack-rates.js';
import type { AgentRequest, AgentRoute } from './route.js';
import { agentRoutes } from './routes.js';
import { unsupported } from './unsupported.js';

/**
 * The agent protocol, generated from the table; to be mounted at `/v3`. Every answer is a JSON document. With
 * `dispatch` calls of idle agents are answered without an operation of their own.
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
  const calls = dispatch && new JobCallBatches(services, batchOperations);
  for (const each of agentRoutes) {
    if (calls && each.operation === appendLog) router[each.method](each.path, batchChunk(services, calls, each));
    if (calls && batchOperations.has(each.operation)) router[each.method](each.path, batchCall(services, calls, each));
    router[each.method](each.path, handleRoute(services, each, rates));
  }
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
    const body = (response.locals['body'] as ReadBody | undefined) ?? (await readBody(request, route.body));
    const agentRequest = { ...body, params, query: queryOf(request) };
    const bounds = meterRequest(services, response);
    const context = bounds.context({ ...requestFacts(services, request, response), actor });
    const output = await perform(route.operation, context, route.input(agentRequest));
    await send(response, route, agentRequest, { output, bounds });
  };
}

const noBody: ReadBody = { json: {}, bytes: Buffer.alloc(0), gzip: null };

/** Serves a route whose calls are carried out together; a call that goes its own way is left to {@link handleRoute}. */
function batchCall(services: Services, calls: JobCallBatches, route: AgentRoute): RequestHandler {
  return async (request, response, next) => {
    const { authorization } = request.headers;
    const params = pathParameters(request);
    // Reads no body before the token is known to be of this installation.
    const isOfJob = isJobToken(services, authorization);
    if (!isOfJob && (sessionTokenHash(authorization) === null || readsBody(route.operation))) return next();
    const body = isOfJob ? await readBody(request, route.body) : noBody;
    const agentRequest = { ...body, params, query: queryOf(request) };
    const done = await calls.perform({
      operation: route.operation,
      jobId: params['job'] ?? '',
      authorization,
      request: requestFacts(services, request, response),
      input: route.input(agentRequest),
    });
    if (!done) {
      if (isOfJob) response.locals['body'] = body;
      return next();
    }
    response.locals['actor'] = done.actor;
    if (!isOfJob) await readBody(request, 'bytes');
    if ('problem' in done.result) throw done.result.problem;
    await send(response, route, agentRequest, done.result);
  };
}

/** The same for chunks of logs: who calls, and where the chunk belongs, is read together. */
function batchChunk(services: Services, calls: JobCallBatches, route: AgentRoute): RequestHandler {
  return async (request, response, next) => {
    const { authorization } = request.headers;
    if (!isJobToken(services, authorization)) return next();
    const body = await readBody(request, route.body);
    response.locals['body'] = body;
    const params = pathParameters(request);
    const query = queryOf(request);
    const call = { jobId: params['job'] ?? '', sequence: Number(query.get('sequence')), authorization };
    const log = await calls.findChunk(call);
    if (!log) return next();
    response.locals['actor'] = log.actor;
    const context = log.contextOf(requestFacts(services, request, response));
    const agentRequest = { ...body, params, query };
    const output = await perform(route.operation, context, route.input(agentRequest));
    await send(response, route, agentRequest, { output });
  };
}

const requestFacts = (services: Services, request: Request, response: Response): Omit<RequestFacts, 'actor'> => ({
  surface: 'agent',
  requestId: String(response.locals['requestId']),
  ...originOf(request, services.trustsProxy),
});

/** @param bounds those that the output was read in; absent where it was read together with that of other calls */
async function send(
  response: Response,
  route: AgentRoute,
  request: AgentRequest,
  { output, bounds }: { output: unknown; bounds?: RequestBounds },
): Promise<void> {
  // `route()` has checked that status and reply take this operation's output; the table has forgotten its type.
  const reply = route.reply(output as never, request);
  response.status(typeof route.status === 'number' ? route.status : route.status(output as never)).set(route.headers);
  if (reply instanceof JsonList) await sendList(response, reply, () => bounds?.share.clear());
  else response.json(reply);
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

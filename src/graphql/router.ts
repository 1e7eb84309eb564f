import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import type { UserActor } from '../auth/actor.js';
import { Context, type RequestFacts, type Services } from '../context.js';
import { Problem, type ProblemCode } from '../domain/problem.js';
import { createApollo } from './apollo.js';
import { authenticate } from './authentication.js';
import { formatProblem } from './errors.js';
import { graphiql, wantsPage } from './graphiql/page.js';
import { eventStream, wantsEventStream } from './live/event-stream.js';
import { LiveDoor } from './live/live-door.js';
import { type WebSocketDoor, webSocketDoor } from './live/websocket.js';
import { idempotencyClaim, jsonBody, readRequest } from './request-body.js';
import { RequestState } from './request-state.js';
import { buildSchema } from './schema.js';

/** Everything under /graphql. */
export interface GraphqlSurface {
  router: Router;
  /** A connection that wants to speak graphql-ws. */
  upgrade: WebSocketDoor['upgrade'];
  /** There may be news for those who follow something. */
  wake(): void;
  /** Ends every stream, so that clients go on elsewhere with their cursors. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * GraphQL over HTTP, mounted at /graphql: POST with a JSON body. Whatever an operation says is answered with 200, as
 * clients that throw on other statuses need (graphql-facts 1.10); other statuses are about the request itself.
 */
export async function graphqlRouter(services: Services): Promise<GraphqlSurface> {
  const schema = await buildSchema();
  const apollo = createApollo(schema, services);
  await apollo.start();
  const live = new LiveDoor(services, schema);
  const sockets = webSocketDoor(services, live);
  const events = eventStream(live);
  // Before the body is read: a stranger's megabytes are not.
  const identify: RequestHandler = async (req, res, next) => {
    res.locals['actor'] = await authenticate(services, req);
    next();
  };
  const answer: RequestHandler = async (req, res) => {
    const requestId = String(res.getHeader('X-Request-Id'));
    const asked = readRequest(req);
    const facts: RequestFacts = {
      actor: res.locals['actor'] as UserActor,
      door: 'graphql',
      requestId,
      idempotency: idempotencyClaim(req, asked),
      ipAddress: req.ip ?? null,
      userAgent: req.headers['user-agent'] ?? null,
    };
    const state = new RequestState(new Context(services, facts));
    const { body } = await apollo.executeOperation(asked, { contextValue: state });
    // Incremental delivery is not part of the schema, so there is always one result.
    const result = body.kind === 'single' ? body.singleResult : {};
    send(req, res, state.bill.retryAfter === null ? 200 : 429, { ...ordered(result), ...(wantsStats(req) ? { stats: state.stats } : {}) }, state);
  };
  const router = Router();
  router.use(requestId);
  router.post('/', identify, jsonBody, (req, res, next) => (wantsEventStream(req) ? events(req, res, next) : answer(req, res, next)));
  router.get('/', (req, res, next) => (wantsPage(req) ? graphiql(req, res, next) : next()));
  router.get('/stream', identify, events);
  router.post('/stream', identify, jsonBody, events);
  router.all('/', (req, res) => {
    res.setHeader('Allow', 'POST');
    sendError(req, res, 405, { message: 'GraphQL operations are sent with POST', extensions: { code: 'METHOD_NOT_ALLOWED' } });
  });
  router.use(onError(services));
  return {
    router,
    upgrade: sockets.upgrade,
    wake: () => live.wake(),
    drain: async () => {
      live.drain();
      await sockets.stop();
    },
    stop: async () => {
      await live.stop();
      await sockets.stop();
      await apollo.stop();
    },
  };
}

/** Every reply names its request; an id from a proxy in front is kept. */
const requestId: RequestHandler = (req, res, next) => {
  const known = res.getHeader('X-Request-Id') ?? req.headers['x-request-id'];
  res.setHeader('X-Request-Id', typeof known === 'string' && /^[\w.:-]{1,128}$/.test(known) ? known : randomUUID());
  next();
};

const wantsStats = (req: Request) => req.headers['buildkite-include-query-stats'] === 'true';

const responseType = 'application/graphql-response+json';

function send(req: Request, res: Response, status: number, body: object, state?: RequestState): void {
  if (state) tellPoints(res, state);
  const type = req.accepts(['application/json', responseType]) === responseType ? responseType : 'application/json';
  res.status(status).setHeader('Content-Type', `${type}; charset=utf-8`).setHeader('Cache-Control', 'no-store');
  res.end(JSON.stringify(body));
}

/** What the operation cost and what is left (graphql-facts 1.11). */
function tellPoints(res: Response, { stats, bill: { organization, user, retryAfter } }: RequestState): void {
  res.setHeader('RateLimit-Complexity-Requested', stats.requestedComplexity);
  res.setHeader('RateLimit-Complexity-Actual', stats.actualComplexity);
  for (const [prefix, left] of [['RateLimit-', organization], ['RateLimit-User-', user]] as const) {
    if (!left) continue;
    res.setHeader(`${prefix}Limit`, left.limit);
    res.setHeader(`${prefix}Remaining`, left.remaining);
    res.setHeader(`${prefix}Reset`, left.reset);
  }
  if (retryAfter !== null) res.setHeader('Retry-After', retryAfter);
}

/** Errors first, as people read them. */
const ordered = ({ errors, data, extensions }: { errors?: unknown; data?: unknown; extensions?: unknown }) => ({
  ...(errors ? { errors } : {}),
  ...(data === undefined ? {} : { data }),
  ...(extensions && Object.keys(extensions).length > 0 ? { extensions } : {}),
});

function sendError(req: Request, res: Response, status: number, error: { message: string; extensions?: object }): void {
  send(req, res, status, { message: error.message, errors: [error] });
}

/** Statuses of refusals of the request itself; those inside an operation are all 200. */
const statuses: Partial<Record<ProblemCode, number>> = { unauthenticated: 401, malformed: 400, too_large: 413, rate_limited: 429, unavailable: 503 };

function onError(services: Services): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (res.headersSent) return next(error);
    const problem = error instanceof Problem ? error : bodyProblem(error);
    if (problem) {
      if (problem.code === 'unauthenticated') res.setHeader('WWW-Authenticate', 'Bearer');
      return sendError(req, res, statuses[problem.code] ?? 400, formatProblem(problem));
    }
    const requestId = String(res.getHeader('X-Request-Id'));
    services.log.error({ err: error, requestId }, 'a GraphQL request failed');
    const masked = { message: 'Internal Server Error', extensions: { code: 'INTERNAL_SERVER_ERROR', requestId } };
    send(req, res, 500, { message: masked.message, request_id: requestId, errors: [masked] });
  };
}

/** What the body parser refuses, told without its words. */
function bodyProblem(error: unknown): Problem | null {
  const type = (error as { type?: unknown } | null)?.type;
  if (typeof type !== 'string') return null;
  if (type === 'entity.too.large') return new Problem('too_large', 'The request body is too large');
  return new Problem('malformed', 'The request body is not valid JSON');
}

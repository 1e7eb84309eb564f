import 'reflect-metadata';
import { type GraphQLFormattedError, type GraphQLSchema, parse, specifiedRules, validate } from 'graphql';
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import type { UserActor } from '../../auth/actor.js';
import type { RequestFacts } from '../../request/context.js';
import { type ReplyVisit, rightsOf } from '../../response-cache/response-cache.js';
import { replyBytesOf } from '../../services/reply-bytes.js';
import type { Services } from '../../services/services.js';
import type { ProblemCode } from '../../domain/problem.js';
import { wantsCurrent } from '../../http/cache-control.js';
import { originOf } from '../../http/client-address.js';
import { problemOf } from '../../http/problem-reply.js';
import { requestFields } from '../../http/request-fields.js';
import { compressReplies } from '../../http/compress-replies.js';
import { setRequestId } from '../../http/request-id.js';
import { boundRequest } from '../../http/request-bounds.js';
import { lengthOf, sendPieces, smallBody } from '../../http/send-pieces.js';
import { createApollo } from './apollo.js';
import { allowedTo, authenticate, type Credential } from './authentication.js';
import { formatProblem } from './errors.js';
import { KeptText } from '../execution/kept-text.js';
import { ReplyTooLarge } from '../execution/reply-size.js';
import { graphiql, wantsPage } from '../graphiql/page.js';
import { eventStream, wantsEventStream } from '../subscriptions/event-stream.js';
import { SubscriptionServer } from '../subscriptions/subscription-server.js';
import { largeJson } from '../limits/large-json.js';
import { DocumentTurns } from '../limits/turns.js';
import { type WebSocketServer, webSocketServer } from '../subscriptions/websocket.js';
import { idempotencyClaim, jsonBody, DocumentRefusal, readRequest } from './request-body.js';
import { type KeptData, RequestState } from './request-state.js';
import { buildSchema } from './schema.js';

/** The result of an operation. */
interface Result {
  errors?: readonly GraphQLFormattedError[];
  data?: Record<string, unknown> | null;
  extensions?: Record<string, unknown>;
}

/** The reply to an operation, in pieces. */
interface Reply extends Pick<RequestState, 'stats' | 'bill'> {
  pieces: Buffer[];
  status: number;
}

/** Everything under /graphql. */
export interface GraphqlSurface {
  router: Router;
  /** Takes over a connection that requests the graphql-ws protocol. */
  upgrade: WebSocketServer['upgrade'];
  /** Wakes subscriptions, because there may be new events. */
  wake(): void;
  /** Ends every stream, so that clients go on elsewhere with their cursors. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Serves GraphQL over HTTP at /graphql: POST with a JSON body. Results of an operation, errors included, are answered
 * 200, because clients throw on other statuses; other statuses are about the request itself.
 */
export async function graphqlRouter(services: Services): Promise<GraphqlSurface> {
  const schema = await buildSchema();
  warnOfForeignDocuments(services, schema);
  const apollo = createApollo(schema, services);
  await apollo.start();
  const live = new SubscriptionServer(services, schema);
  const sockets = webSocketServer(services, live);
  const events = eventStream(live, services);
  const turns = new DocumentTurns();
  // Before the body is read: a stranger's megabytes are not.
  const identify: RequestHandler = async (req, res, next) => {
    const caller = await authenticate(services, req, res);
    res.locals['actor'] = caller.actor;
    res.locals['credential'] = caller.credential;
    next();
  };
  const answer: RequestHandler = async (req, res) => {
    const requestId = String(res.getHeader('X-Request-Id'));
    const operation = readRequest(req, allowedTo(services, res.locals['credential'] as Credential));
    const facts: RequestFacts = {
      actor: res.locals['actor'] as UserActor,
      surface: 'graphql',
      requestId,
      idempotency: idempotencyClaim(req, operation),
      ...originOf(req, services.trustsProxy),
      traceparent: req.get('traceparent') ?? null,
      isCurrent: services.readReplica !== undefined && wantsCurrent(req),
    };
    const bounds = boundRequest(services, res);
    const visit = visitOf(services, facts, operation);
    const execute = async (): Promise<Reply> => {
      const cached = (await visit?.take(services)) ?? null;
      const state = new RequestState(
        bounds.context(facts, cached ? undefined : visit?.record(bounds.reads, services)),
        bounds,
        cached,
      );
      const { body } = await apollo
        .executeOperation(operation, { contextValue: state })
        .finally(() => state.turn.end());
      // Incremental delivery is not part of the schema, so there is always one result.
      const result = ordered(body.kind === 'single' ? body.singleResult : {});
      const stats = wantsStats(req) ? { stats: state.stats } : {};
      const pieces = await largeJson({ ...result, ...stats }, replyBytesOf(services)).catch((error: unknown) => {
        if (!(error instanceof ReplyTooLarge)) throw error;
        const failed = { errors: [formatProblem(error)], data: null };
        return [Buffer.from(JSON.stringify({ ...failed, ...stats }))];
      });
      if (lengthOf(pieces) > mostKeptBytes || isRefusedAsLarge(result)) visit?.isLarge();
      else if (visit?.wantsReply && Object.keys({ ...result, ...stats }).join() === 'data')
        keepData(visit, pieces, state);
      // Of the state nothing else lasts until its reader has taken the reply: the rows that it has loaded least of all.
      const { stats: points, bill } = state;
      return { pieces, status: statusOf(result, state, repliesInOwnType(req)), stats: points, bill };
    };
    const work = turns.take((facts.actor as UserActor).userId, bounds.signal, execute);
    const reply = await orShortlyAfter(work, bounds.signal);
    tellPoints(res, reply);
    setHead(req, res, reply.status);
    const bytes = lengthOf(reply.pieces);
    if (bytes <= smallBody || res.headersSent) return void res.end(Buffer.concat(reply.pieces));
    await sendPieces(res, reply.pieces, () => {
      // The compression removes it again.
      if (!res.headersSent) res.setHeader('Content-Length', bytes);
      bounds.share.release();
    });
  };
  const router = Router();
  router.use((req, res, next) => {
    setRequestId(req, res);
    next();
  });
  router.use(compressReplies());
  router.post('/', identify, jsonBody, (req, res, next) =>
    wantsEventStream(req) ? events(req, res, next) : answer(req, res, next),
  );
  router.get('/', refuseStrippedUpgrade);
  router.get('/', (req, res, next) => (wantsPage(req) ? graphiql(req, res, next) : next()));
  router.get('/stream', identify, events);
  router.post('/stream', identify, jsonBody, events);
  router.all('/', (req, res) => {
    res.setHeader('Allow', 'POST');
    sendError(req, res, 405, {
      message: 'GraphQL operations are sent with POST',
      extensions: { code: 'METHOD_NOT_ALLOWED' },
    });
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

/** Logs the documents of the deployment that do not fit the schema: an upgrade may have removed what they select. */
function warnOfForeignDocuments({ persistedDocuments, log }: Services, schema: GraphQLSchema): void {
  for (const [id, text] of persistedDocuments?.texts() ?? []) {
    const [error] = validate(schema, parse(text), specifiedRules, { maxErrors: 1 });
    if (error)
      log.warn({ document: id.slice(0, 100), err: error.message }, 'a persisted document does not fit the schema');
  }
}

/** The memory of whole replies, for an operation that may be a query. */
function visitOf(
  { fragmentCache }: Services,
  facts: RequestFacts,
  { query, variables, operationName }: ReturnType<typeof readRequest>,
): ReplyVisit<KeptData> | null {
  const { actor, surface, ipAddress = null, userAgent = null, isCurrent = false } = facts;
  if (!fragmentCache || actor.kind !== 'user') return null;
  const what = [query, variables, operationName, isCurrent || actor.wroteLately];
  return fragmentCache.responses.visit<KeptData>({ surface, by: rightsOf(actor), what, ipAddress, userAgent });
}

const isRefusedAsLarge = ({ errors = [] }: { errors?: readonly { extensions?: { code?: unknown } }[] }): boolean =>
  errors.some(({ extensions }) => extensions?.code === 'PAYLOAD_TOO_LARGE');

/** Bytes of a reply that is kept: of a larger one the copy alone would be more than the memory for replies is for. */
const mostKeptBytes = 4 * 1024 * 1024;

/** Keeps the data out of a reply that has nothing else. */
function keepData(visit: ReplyVisit<KeptData>, pieces: readonly Buffer[], { cost, charged }: RequestState): void {
  const text = Buffer.concat(pieces).subarray('{"data":'.length, -1);
  visit.keep({ text: new KeptText(text, cost), charged }, text.length);
}

/**
 * 200, but for an operation that was not carried out for want of points, or none of whose fields could be for want of
 * the database. Clients that take the media type of GraphQL replies get 400 for an operation that did not begin, as
 * that type has it; under `application/json` a status other than 200 would mean that something else than this server
 * answered.
 */
function statusOf({ data, errors }: Result, { bill }: RequestState, inOwnType: boolean): number {
  if (bill.retryAfter !== null) return 429;
  const unavailable = errors?.find(({ extensions }) => extensions?.['code'] === 'UNAVAILABLE');
  if (!unavailable || Object.values(data ?? {}).some((value) => value !== null))
    return inOwnType && data === undefined ? 400 : 200;
  bill.retryAfter = Number(unavailable.extensions?.['retryAfter'] ?? 1);
  return 503;
}

/**
 * Answers 503 for work that does not heed the deadline; other operations return their partial result, with an error at
 * each missing field.
 */
const graceMs = 1_000;

async function orShortlyAfter<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => (timer = setTimeout(() => reject(signal.reason as Error), graceMs)), {
      once: true,
    });
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

const wantsStats = (req: Request) => req.headers['buildkite-include-query-stats'] === 'true';

const responseType = 'application/graphql-response+json';

/** Whether the client prefers the media type of GraphQL replies. */
const repliesInOwnType = (req: Request): boolean => req.accepts(['application/json', responseType]) === responseType;

function send(req: Request, res: Response, status: number, body: object): void {
  setHead(req, res, status);
  res.end(JSON.stringify(body));
}

function setHead(req: Request, res: Response, status: number): void {
  const type = repliesInOwnType(req) ? responseType : 'application/json';
  res.status(status).setHeader('Content-Type', `${type}; charset=utf-8`).setHeader('Cache-Control', 'no-store');
}

/** Sets the headers with the cost of the operation and the remaining points. */
function tellPoints(res: Response, { stats, bill: { organization, user, retryAfter } }: Reply): void {
  res.setHeader('RateLimit-Complexity-Requested', stats.requestedComplexity);
  res.setHeader('RateLimit-Complexity-Actual', stats.actualComplexity);
  for (const [prefix, left] of [
    ['RateLimit-', organization],
    ['RateLimit-User-', user],
  ] as const) {
    if (!left) continue;
    res.setHeader(`${prefix}Limit`, left.limit);
    res.setHeader(`${prefix}Remaining`, left.remaining);
    res.setHeader(`${prefix}Reset`, left.reset);
  }
  if (retryAfter !== null) res.setHeader('Retry-After', retryAfter);
}

/** Errors first, as people read them. */
const ordered = ({ errors, data, extensions }: Result): Result => ({
  ...(errors ? { errors } : {}),
  ...(data === undefined ? {} : { data }),
  ...(extensions && Object.keys(extensions).length > 0 ? { extensions } : {}),
});

function sendError(req: Request, res: Response, status: number, error: { message: string; extensions?: object }): void {
  send(req, res, status, { message: error.message, errors: [error] });
}

/** Statuses of refusals of the request itself; those inside an operation are all 200. */
const statuses: Partial<Record<ProblemCode, number>> = {
  unauthenticated: 401,
  forbidden: 403,
  unsupported_media_type: 415,
  malformed: 400,
  too_large: 413,
  rate_limited: 429,
  unavailable: 503,
  timed_out: 503,
};

/**
 * Answers a WebSocket handshake whose `Upgrade` header a proxy removed, as nginx does by default: the handshake's own
 * headers still arrive, and a 405 would not tell its operator the reason.
 */
const refuseStrippedUpgrade: RequestHandler = (req, res, next) => {
  if (req.headers['sec-websocket-key'] === undefined) return next();
  res.set({ Upgrade: 'websocket', Connection: 'Upgrade' });
  sendError(req, res, 426, {
    message:
      'The WebSocket handshake arrived without its Upgrade header: a proxy in front must use HTTP/1.1 and pass ' +
      'Upgrade and Connection on (for nginx: proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; ' +
      'proxy_set_header Connection "upgrade")',
    extensions: { code: 'UPGRADE_REQUIRED' },
  });
};

function onError(services: Services): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (res.headersSent) return next(error);
    if (res.destroyed) return;
    if (error instanceof DocumentRefusal) {
      const { message, code } = error;
      return sendError(req, res, repliesInOwnType(req) ? 400 : 200, { message, extensions: { code } });
    }
    const problem = problemOf(error);
    if (problem) {
      if (problem.details.retryAfter !== undefined) res.setHeader('Retry-After', problem.details.retryAfter);
      if (problem.code === 'unauthenticated') res.setHeader('WWW-Authenticate', 'Bearer');
      return sendError(req, res, statuses[problem.code] ?? 400, formatProblem(problem));
    }
    const requestId = String(res.getHeader('X-Request-Id'));
    services.log.error({ ...requestFields(req, res), err: error }, 'a GraphQL request failed');
    const masked = { message: 'Internal Server Error', extensions: { code: 'INTERNAL_SERVER_ERROR', requestId } };
    send(req, res, 500, { message: masked.message, request_id: requestId, errors: [masked] });
  };
}

import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { anonymous, type AnonymousActor, type UserActor } from '../auth/actor.js';
import type { IdempotencyClaim, RequestFacts } from '../request/context.js';
import type { ReplyVisit } from '../response-cache/response-cache.js';
import type { Services } from '../services/services.js';
import { limits } from '../domain/limits/limits.js';
import { Problem } from '../domain/problem.js';
import { authenticateToken } from '../http/authenticate-token.js';
import { wantsCurrent } from '../http/cache-control.js';
import { originOf } from '../http/client-address.js';
import { sendUncompressed } from '../http/compress-replies.js';
import { pathParameters } from '../http/path-parameters.js';
import { routeTemplate } from '../http/request-fields.js';
import { perform } from '../core/operation.js';
import type { RequestBounds } from '../http/request-bounds.js';
import { lengthOf } from '../http/send-pieces.js';
import { entityTag, setScopeHeaders } from './replies/headers.js';
import type { CachedReads, CachedReply } from './cached-reads.js';
import type { RateLimits } from './requests/rate-limit.js';
import { type ReadBody, readBody } from './requests/request-body.js';
import { parseQuery } from './requests/request-query.js';
import { RestRequest } from './requests/request.js';
import { makeReply } from './make-reply.js';
import type { Route } from './route.js';
import { checkVersion, versionHeader } from './requests/api-version.js';
import { piecesOf, type SentReply, sendReply } from './replies/send-reply.js';

/**
 * Serves one route: authenticates the caller, reads the request, performs the operation and replies. Throws failures
 * for the router to answer.
 */
export function handleRoute(
  services: Services,
  route: Route,
  { rateLimits, keptReads }: { rateLimits: RateLimits; keptReads: CachedReads },
): RequestHandler {
  return async (request, response) => {
    response.locals['refusal'] = route.operation.refusal;
    const bounds = response.locals['bounds'] as RequestBounds;
    const visit = isKeepable(route) ? keptReads.passed(request) : null;
    const now = services.clock.now();
    const recorded = visit?.record(bounds.reads, services, now) ?? services;
    const actor = await callerOf(services, route, request, { now, bounds, visit });
    response.locals['actor'] = actor;
    if (actor.kind === 'user') setScopeHeaders(response, actor, route.operation.scope);
    if (route.versioned) checkVersion(request.get(versionHeader));
    const params = pathParameters(request);
    const query = parseQuery(request.originalUrl);
    const facts: RequestFacts = {
      actor,
      surface: 'rest',
      requestId: String(response.locals['requestId']),
      ...originOf(request, services.trustsProxy),
      traceparent: request.get('traceparent') ?? null,
      isCurrent: wantsCurrent(request),
    };
    if (route.reply.kind === 'stream') {
      bounds.allowStream();
      sendUncompressed(response);
    }
    if (actor.kind === 'user')
      await bounds.unrecorded(() => {
        const context = bounds.context(facts);
        return rateLimits.count({ now: context.now, context: () => context }, actor, params['org'], response);
      });
    const body = safe(request) ? noBody : await readBody(request);
    const restRequest = new RestRequest(params, query, body.json);
    const context = bounds.context({ ...facts, idempotency: idempotencyClaim(request, body) }, recorded);
    const input = route.input(restRequest);
    const { operation, reply } = route;
    if (reply.kind === 'stream')
      return reply.send(context, await perform(operation, context, input), { request, response, restRequest });
    if (reply.kind === 'redirect') {
      const url = reply.target(context, await perform(operation, context, input));
      // The address is valid for a moment, and for this caller only.
      return sendReply(response, { status: 302, body: JSON.stringify({ url }) });
    }
    const sent = await makeReply({ operation, reply }, context, { input, restRequest, url: request.originalUrl }).catch(
      (error: unknown) => {
        if (error instanceof Problem && error.code === 'too_large') visit?.isLarge();
        throw error;
      },
    );
    const isLarge = visit !== null && bytesOf(sent.body) > mostKept;
    if (isLarge) visit.isLarge();
    if (isLarge || !visit?.wantsReply || actor.kind !== 'user') return sendReply(response, sent);
    const { scope } = operation;
    const shown = { actor, scope, organization: params['org'], route: routeTemplate(request) };
    sendReply(response, cacheReply(visit, sent, shown));
  };
}

/** Whether the replies of a route can be kept whole: replies in JSON to reads of users. */
const isKeepable = ({ operation, reply }: Route): boolean =>
  operation.kind === 'query' && operation.access !== 'anyone' && reply.kind !== 'stream' && reply.kind !== 'redirect';

/** Returns the caller; the statement that finds the user is recorded with the statements of the request. */
async function callerOf(
  services: Services,
  { operation }: Route,
  request: Request,
  { now, bounds, visit }: { now: Date; bounds: RequestBounds; visit: ReplyVisit<CachedReply> | null },
): Promise<UserActor | AnonymousActor> {
  if (operation.access === 'anyone') return anonymous;
  const db = visit?.records ? bounds.db : services.db;
  return authenticateToken(services, request, request.headers.authorization, { now, db });
}

/** Counted without a copy: every read that may be kept passes here. */
function bytesOf(body: SentReply['body']): number {
  if (body === null) return 0;
  return typeof body === 'string' ? Buffer.byteLength(body) : lengthOf(piecesOf(body));
}

/** Bytes of a reply that may be kept whole; its pieces are copied for that. */
const mostKept = 2 * 1024 * 1024;

function cacheReply(
  visit: ReplyVisit<CachedReply>,
  { body, ...sent }: SentReply,
  shown: Omit<CachedReply, keyof SentReply>,
): SentReply {
  if (body === null) return { body, ...sent };
  const pieces = piecesOf(body);
  const bytes = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
  const reply = { ...sent, body: bytes, tag: entityTag(bytes), ...shown };
  visit.keep(reply, bytes.length + 2 * JSON.stringify([sent, shown]).length);
  return reply;
}

/** Reads change nothing, and a body that a client sends along with one means nothing. */
const safe = ({ method }: Request) => method === 'GET' || method === 'HEAD';
const noBody: ReadBody = { json: {}, raw: Buffer.alloc(0) };

/** The `Idempotency-Key` of an unsafe request with a fingerprint of method, path and body. */
function idempotencyClaim(request: Request, body: ReadBody): IdempotencyClaim | undefined {
  const key = request.get('Idempotency-Key');
  if (safe(request) || key === undefined || key.trim() === '') return undefined;
  if (key.length > limits.idempotencyKeyLength)
    throw new Problem('malformed', `Idempotency-Key is longer than ${limits.idempotencyKeyLength} characters`);
  const path = request.originalUrl.split('?', 1)[0]?.replace(/\/$/, '') ?? '';
  const fingerprint = createHash('sha256').update(`${request.method} ${path}\n`).update(body.raw).digest('hex');
  return { key, fingerprint };
}

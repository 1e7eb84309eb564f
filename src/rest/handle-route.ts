import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { AnonymousActor, UserActor } from '../auth/actor.js';
import type { Context, IdempotencyClaim, RequestFacts } from '../context.js';
import type { ReplyVisit } from '../kept-replies.js';
import type { Services } from '../services.js';
import { limits } from '../domain/limits.js';
import { Problem } from '../domain/problem.js';
import type { Json } from '../domain/pipelines/steps/step.js';
import { authenticateToken, noteUse } from '../http/authenticate-token.js';
import { clientAddress } from '../http/client-address.js';
import { sendUncompressed } from '../http/compress-replies.js';
import { pathParameters } from '../http/path-parameters.js';
import { perform, performAndRender } from '../core/operation.js';
import type { Page } from '../core/paging.js';
import type { RequestBounds } from '../http/request-bounds.js';
import { cursorLinkHeader, cursorLinks, readStretch } from './replies/cursor-page.js';
import { entityTag, setScopeHeaders } from './replies/headers.js';
import { linkHeader, readPage } from './replies/pagination.js';
import type { RateLimits } from './requests/rate-limit.js';
import { type ReadBody, readBody } from './requests/request-body.js';
import { parseQuery } from './requests/request-query.js';
import { RestRequest } from './requests/request.js';
import { ReplyParts } from './parts/reply-parts.js';
import type { Route } from './route.js';
import { type SentReply, sendReply } from './replies/send-reply.js';

/**
 * Serves one route: authenticates the caller, reads the request, performs the operation and replies. Throws failures
 * for the router to answer.
 */
export function handleRoute(services: Services, route: Route, rateLimits: RateLimits): RequestHandler {
  return async (request, response) => {
    response.locals['refusal'] = route.operation.refusal;
    const bounds = response.locals['bounds'] as RequestBounds;
    const now = services.clock.now();
    const ipAddress = clientAddress(request, services.trustsProxy);
    const visit = visitOf(services, route, request, ipAddress);
    const kept = (await visit?.take(bounds.db, now)) ?? null;
    const recorded = kept ? services : (visit?.record(bounds.reads, services, now) ?? services);
    const actor = kept ? kept.actor : await callerOf(services, route, request, { now, bounds, visit });
    response.locals['actor'] = actor;
    if (actor.kind === 'user') setScopeHeaders(response, actor, route.operation.scope);
    const params = pathParameters(request);
    const query = kept ? {} : parseQuery(request.originalUrl);
    const facts: RequestFacts = {
      actor,
      surface: 'rest',
      requestId: String(response.locals['requestId']),
      ipAddress,
      userAgent: request.headers['user-agent'] ?? null,
    };
    if (route.reply.kind === 'stream') {
      bounds.allowStream();
      sendUncompressed(response);
    }
    if (actor.kind === 'user')
      await bounds.unrecorded(() => rateLimits.count(bounds.context(facts), actor, params['org'], response));
    if (kept) {
      noteUse(services, request, kept.actor, now);
      return sendReply(response, kept);
    }
    const body = safe(request) ? noBody : await readBody(request);
    const restRequest = new RestRequest(params, query, body.json);
    const context = bounds.context({ ...facts, idempotency: idempotencyClaim(request, body) }, recorded);
    const input = route.input(restRequest);
    const { operation, reply } = route;
    if (reply.kind === 'stream')
      return reply.send(context, await perform(operation, context, input), { request, response });
    if (reply.kind === 'redirect') {
      const url = reply.target(context, await perform(operation, context, input));
      response.set('Location', url);
      // The address is valid for a moment, and for this caller only.
      return sendReply(response, { status: 302, body: JSON.stringify({ url }) });
    }
    const made = await makeReply({ operation, reply }, context, { input, restRequest, url: request.originalUrl });
    const keeps = visit?.wantsReply && actor.kind === 'user';
    sendReply(response, keeps ? keepReply(visit, made, actor) : made);
  };
}

/** A reply that is kept, with the caller as found by a statement that is checked with it. */
type KeptReply = SentReply & { actor: UserActor };

/** The memory of whole replies, for reads of users whose reply is JSON. */
function visitOf(
  { keptParts }: Services,
  { operation, reply }: Route,
  request: Request,
  ipAddress: string | null,
): ReplyVisit<KeptReply> | null {
  const isRead = operation.kind === 'query' && safe(request) && reply.kind !== 'stream' && reply.kind !== 'redirect';
  const { authorization, 'user-agent': userAgent = null } = request.headers;
  if (!keptParts || !isRead || operation.access === 'anyone' || authorization === undefined) return null;
  const asked = { surface: 'rest', by: authorization, what: request.originalUrl, ipAddress, userAgent };
  return keptParts.replies.visit<KeptReply>(asked);
}

/** The caller; the statement that finds a user is recorded with those of the request. */
async function callerOf(
  services: Services,
  { operation }: Route,
  request: Request,
  { now, bounds, visit }: { now: Date; bounds: RequestBounds; visit: ReplyVisit<KeptReply> | null },
): Promise<UserActor | AnonymousActor> {
  if (operation.access === 'anyone') return anonymous;
  const db = visit?.records ? bounds.db : services.db;
  return authenticateToken(services, request, request.headers.authorization, { now, db });
}

function keepReply(visit: ReplyVisit<KeptReply>, { body, ...made }: SentReply, actor: UserActor): SentReply {
  if (body === null) return { body, ...made };
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const reply = { ...made, body: bytes, tag: entityTag(bytes), actor };
  visit.keep(reply, bytes.length);
  return reply;
}

type WrittenReply = Exclude<Route['reply'], { kind: 'stream' | 'redirect' }>;

/** Performs the operation of a route and writes its reply. */
async function makeReply(
  { operation, reply }: { operation: Route['operation']; reply: WrittenReply },
  context: Context,
  { input, restRequest, url }: { input: unknown; restRequest: RestRequest; url: string },
): Promise<SentReply> {
  const { baseUrl } = context.services;
  switch (reply.kind) {
    case 'page': {
      const page = (await perform(operation, context, input)) as Page<unknown>;
      const write = writerOf(context);
      const items = await Promise.all(page.rows.map((row) => reply.present(context, row, restRequest)));
      const link = await linkHeader(baseUrl, url, readPage(restRequest), page);
      return { status: 200, body: await write(items), link };
    }
    case 'list': {
      const rows = (await perform(operation, context, input)) as readonly unknown[];
      const write = writerOf(context);
      const items = await Promise.all(rows.map((row) => reply.present(context, row, restRequest)));
      return { status: 200, body: await write(items) };
    }
    case 'cursor': {
      const page = (await perform(operation, context, input)) as Page<unknown>;
      const write = writerOf(context);
      const items = await Promise.all(page.rows.map((row) => reply.present(context, row, restRequest)));
      const links = cursorLinks(baseUrl, url, readStretch(restRequest), page);
      return { status: 200, body: await write({ items, links: { ...links } }), link: cursorLinkHeader(links) };
    }
    case 'object': {
      if (operation.kind === 'query') {
        const output: unknown = await perform(operation, context, input);
        const write = writerOf(context);
        return { status: reply.status, body: await write(await reply.present(context, output, restRequest)) };
      }
      const render = async (within: Context, output: unknown) => {
        // The operation may have changed rows that its loaders had read.
        const fresh = within.afterwards();
        return { status: reply.status, body: JSON.stringify(await reply.present(fresh, output, restRequest)) };
      };
      return performAndRender(operation, context, input, render);
    }
    case 'objects': {
      const render = async (within: Context, output: unknown) => ({
        status: reply.status,
        body: JSON.stringify(await reply.present(within.afterwards(), output, restRequest)),
      });
      return performAndRender(operation, context, input, render);
    }
    case 'empty':
      return performAndRender(operation, context, input, async () => ({ status: 204, body: null }));
  }
}

/**
 * Writes the reply to a read as JSON: of parts, some of which are kept in memory. Replies of commands are not made of
 * parts: they show what their own transaction has changed, and versions tell only what others have committed.
 */
function writerOf(context: Context): (value: Json) => Promise<Buffer | string> {
  const { keptParts } = context.services;
  if (!keptParts) return async (value) => JSON.stringify(value);
  const parts = new ReplyParts(context, keptParts);
  return (value) => parts.write(value);
}

const anonymous = { kind: 'anonymous' } as const;

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

import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { AnonymousActor, UserActor } from '../auth/actor.js';
import type { Context, IdempotencyClaim, RequestFacts } from '../context.js';
import type { ReplyVisit } from '../kept-replies.js';
import type { Services } from '../services.js';
import { limits } from '../domain/limits.js';
import { Problem } from '../domain/problem.js';
import type { Json } from '../domain/pipelines/steps/step.js';
import { authenticateToken } from '../http/authenticate-token.js';
import { clientAddress } from '../http/client-address.js';
import { sendUncompressed } from '../http/compress-replies.js';
import { pathParameters } from '../http/path-parameters.js';
import { routeTemplate } from '../http/request-fields.js';
import { perform, performAndRender } from '../core/operation.js';
import type { Page } from '../core/paging.js';
import type { RequestBounds } from '../http/request-bounds.js';
import { cursorLinkHeader, cursorLinks, readStretch } from './replies/cursor-page.js';
import { entityTag, setScopeHeaders } from './replies/headers.js';
import { linkHeader, readPage } from './replies/pagination.js';
import type { KeptReads, KeptReply } from './kept-reads.js';
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
export function handleRoute(
  services: Services,
  route: Route,
  { rateLimits, keptReads }: { rateLimits: RateLimits; keptReads: KeptReads },
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
    const params = pathParameters(request);
    const query = parseQuery(request.originalUrl);
    const facts: RequestFacts = {
      actor,
      surface: 'rest',
      requestId: String(response.locals['requestId']),
      ipAddress: clientAddress(request, services.trustsProxy),
      userAgent: request.headers['user-agent'] ?? null,
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
      return reply.send(context, await perform(operation, context, input), { request, response });
    if (reply.kind === 'redirect') {
      const url = reply.target(context, await perform(operation, context, input));
      response.set('Location', url);
      // The address is valid for a moment, and for this caller only.
      return sendReply(response, { status: 302, body: JSON.stringify({ url }) });
    }
    const made = await makeReply({ operation, reply }, context, { input, restRequest, url: request.originalUrl });
    if (!visit?.wantsReply || actor.kind !== 'user') return sendReply(response, made);
    const { scope } = operation;
    const shown = { actor, scope, organization: params['org'], route: routeTemplate(request) };
    sendReply(response, keepReply(visit, made, shown));
  };
}

/** Whether the replies of a route can be kept whole: those of reads of users that are JSON. */
const isKeepable = ({ operation, reply }: Route): boolean =>
  operation.kind === 'query' && operation.access !== 'anyone' && reply.kind !== 'stream' && reply.kind !== 'redirect';

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

function keepReply(
  visit: ReplyVisit<KeptReply>,
  { body, ...made }: SentReply,
  shown: Omit<KeptReply, keyof SentReply>,
): SentReply {
  if (body === null) return { body, ...made };
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const reply = { ...made, body: bytes, tag: entityTag(bytes), ...shown };
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

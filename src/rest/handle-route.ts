import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { Context, type IdempotencyClaim, type Services } from '../context.js';
import { limits } from '../domain/limits.js';
import { Problem } from '../domain/problem.js';
import { perform, performAndRender } from '../operations/operation.js';
import type { Page } from '../operations/paging.js';
import { authenticate } from './authentication.js';
import { cursorBody, cursorLinkHeader, cursorLinks, readStretch } from './cursor-page.js';
import { setScopeHeaders } from './headers.js';
import { linkHeader, readPage } from './pagination.js';
import type { RateLimits } from './rate-limit.js';
import { type ReadBody, readBody } from './request-body.js';
import { parseQuery } from './request-query.js';
import { RestRequest } from './request.js';
import type { Route } from './route.js';
import { sendReply } from './send-reply.js';

/** Serves one route: who asks, what, the operation, its reply. Failures are thrown for the router to answer. */
export function handleRoute(services: Services, route: Route, rateLimits: RateLimits): RequestHandler {
  return async (request, response) => {
    response.locals['refusal'] = route.operation.refusal;
    const actor = route.operation.access === 'anyone' ? anonymous : await authenticate(services, request);
    if (actor.kind === 'user') setScopeHeaders(response, actor, route.operation.scope);
    const body = safe(request) ? noBody : await readBody(request, response);
    const asked = new RestRequest(textParams(request), parseQuery(request.originalUrl), body.json);
    const context = new Context(services, {
      actor,
      door: 'rest',
      requestId: String(response.locals['requestId']),
      idempotency: idempotencyClaim(request, body),
      ipAddress: request.ip ?? null,
      userAgent: request.headers['user-agent'] ?? null,
    });
    if (actor.kind === 'user') await rateLimits.count(context, actor, asked.params['org'], response);
    await carryOut(route, context, asked, request, response);
  };
}

async function carryOut(route: Route, context: Context, asked: RestRequest, request: Request, response: Response): Promise<void> {
  const { operation, reply } = route;
  const input = route.input(asked);
  switch (reply.kind) {
    case 'stream':
      return reply.send(context, await perform(operation, context, input), { request, response });
    case 'page': {
      const page = (await perform(operation, context, input)) as Page<unknown>;
      const shown = await Promise.all(page.rows.map((row) => reply.present(context, row, asked)));
      const link = await linkHeader(context.services.baseUrl, request.originalUrl, readPage(asked), page);
      if (link !== null) response.set('Link', link);
      return sendReply(response, { status: 200, body: JSON.stringify(shown) });
    }
    case 'list': {
      const rows = (await perform(operation, context, input)) as readonly unknown[];
      return sendReply(response, { status: 200, body: JSON.stringify(await Promise.all(rows.map((row) => reply.present(context, row, asked)))) });
    }
    case 'cursor': {
      const page = (await perform(operation, context, input)) as Page<unknown>;
      const shown = await Promise.all(page.rows.map((row) => reply.present(context, row, asked)));
      const links = cursorLinks(context.services.baseUrl, request.originalUrl, readStretch(asked), page);
      const link = cursorLinkHeader(links);
      if (link !== null) response.set('Link', link);
      return sendReply(response, { status: 200, body: JSON.stringify(cursorBody(shown, links)) });
    }
    case 'redirect': {
      const url = reply.target(context, await perform(operation, context, input));
      response.set('Location', url);
      // The address is good for a moment, and for whoever asked.
      return sendReply(response, { status: 302, body: JSON.stringify({ url }) });
    }
    case 'object': {
      const render = async (within: Context, output: unknown) => {
        // The operation may have changed what its loaders had read before.
        const fresh = within.as(within.actor);
        return { status: reply.status, body: JSON.stringify(await reply.present(fresh, output, asked)) };
      };
      return sendReply(response, await performAndRender(operation, context, input, render));
    }
    case 'empty':
      return sendReply(response, await performAndRender(operation, context, input, async () => ({ status: 204, body: null })));
  }
}

const anonymous = { kind: 'anonymous' } as const;

/** Reads change nothing, and a body that a client sends along with one means nothing (compatibility 1). */
const safe = ({ method }: Request) => method === 'GET' || method === 'HEAD';
const noBody: ReadBody = { json: {}, raw: Buffer.alloc(0) };

/** Path parameters, decoded segment by segment; one that no text column can hold names nothing. */
function textParams(request: Request): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.params)) {
    if (typeof value !== 'string' || value.includes('\0') || value.length > 300) throw new Problem('not_found', 'Not Found');
    params[name] = value;
  }
  return params;
}

/** The `Idempotency-Key` of an unsafe request with a fingerprint of method, path and body (promises.md). */
function idempotencyClaim(request: Request, body: ReadBody): IdempotencyClaim | undefined {
  const key = request.get('Idempotency-Key');
  if (safe(request) || key === undefined || key.trim() === '') return undefined;
  if (key.length > limits.idempotencyKeyLength) throw new Problem('malformed', `Idempotency-Key is longer than ${limits.idempotencyKeyLength} characters`);
  const path = request.originalUrl.split('?', 1)[0]?.replace(/\/$/, '') ?? '';
  const fingerprint = createHash('sha256').update(`${request.method} ${path}\n`).update(body.raw).digest('hex');
  return { key, fingerprint };
}

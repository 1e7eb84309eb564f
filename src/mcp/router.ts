import { createMcpHandler, type AuthInfo } from '@modelcontextprotocol/server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { authenticateToken } from '../http/authenticate-token.js';
import { readBody } from '../http/body.js';
import { originOf } from '../http/client-address.js';
import { isFromOwnPage } from '../http/own-origin.js';
import { problemOf } from '../http/problem-reply.js';
import { boundRequest } from '../http/request-bounds.js';
import { requestFields } from '../http/request-fields.js';
import { setRequestId } from '../http/request-id.js';
import { problemReply } from '../rest/replies/problems.js';
import { RateLimits } from '../rest/requests/rate-limit.js';
import type { RequestFacts } from '../request/context.js';
import type { Services } from '../services/services.js';
import { Problem } from '../domain/problem.js';
import { type Caller, type Choice, toolServer } from './tool-server.js';
import { type Toolset, toolsets } from './tool.js';

/** Bytes of a request. */
const bodyBytes = 1024 * 1024;
/** Where clients read how to authorize themselves (RFC 9728); `web/well-known.ts` answers there. */
const metadataPath = '/.well-known/oauth-protected-resource/mcp';

/**
 * MCP over streamable HTTP at `/mcp`, for API tokens as bearers: each request stands for itself, in the protocol's
 * revision of 2026 and in those before. `/readonly` has no tool that changes anything; `/x/TOOLSET` only those of a
 * group.
 */
export function mcpRouter(services: Services, version: string): { router: Router; stop: () => Promise<void> } {
  const rateLimits = new RateLimits(services);
  const handler = createMcpHandler(({ authInfo }) => toolServer(version, callerIn(authInfo)), {
    maxRequestBodySize: bodyBytes,
    maxSubscriptions: 1,
    onerror: (error) => services.log.debug?.({ err: error }, 'a request of MCP was refused'),
  });
  const answer = toNodeHandler(handler);
  const serve: RequestHandler = async (request, response) => {
    refuseForeignPages(services, request);
    const actor = await authenticateToken(services, request);
    response.locals['actor'] = actor;
    const bounds = boundRequest(services, response);
    const facts: RequestFacts = {
      actor,
      surface: 'rest',
      requestId: String(response.locals['requestId']),
      ...originOf(request, services.trustsProxy),
      traceparent: request.get('traceparent') ?? null,
    };
    const context = () => bounds.context(facts);
    const caller: Caller = {
      ...choiceOf(request),
      context,
      signal: bounds.signal,
      count: (organization) => rateLimits.count({ now: services.clock.now(), context }, actor, organization, response),
      onFault: (error) => services.log.error({ ...requestFields(request, response), err: error }, 'request failed'),
    };
    const body = request.method === 'POST' ? jsonOf(await readBody(request, { bytes: bodyBytes })) : undefined;
    const auth: AuthInfo = { token: '', clientId: actor.userId, scopes: [], extra: { caller } };
    await answer(Object.assign(request, { auth }), response, body);
  };
  const router = Router({ caseSensitive: true });
  router.use((request, response, next) => {
    response.locals['requestId'] = setRequestId(request, response);
    response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    next();
  });
  router.all(['/', '/readonly', '/x/:toolset', '/x/:toolset/readonly'], serve);
  router.use(answerProblem(services));
  return { router, stop: () => handler.close() };
}

const callerIn = (auth: AuthInfo | undefined): Caller => {
  const caller = auth?.extra?.['caller'];
  if (!caller) throw new Error('a request of MCP without a caller');
  return caller as Caller;
};

/** A page of another site may not use the server in its reader's name, whatever it knows. */
function refuseForeignPages(services: Services, request: Request): void {
  if (request.headers.origin !== undefined && !isFromOwnPage(services, request))
    throw new Problem('forbidden', 'Requests of pages of other sites are refused');
}

function choiceOf(request: Request): Choice {
  const named = [request.params['toolset'], request.get('X-Buildkite-Toolsets')].flatMap((text) =>
    typeof text === 'string' ? text.split(',') : [],
  );
  const names = named.map((name) => name.trim()).filter((name) => name !== '' && name !== 'all');
  const unknown = names.find((name) => !(toolsets as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new Problem('not_found', `There is no toolset ${unknown}. Toolsets are: ${toolsets.join(', ')}.`);
  const isReadOnly = request.path.endsWith('/readonly') || request.get('X-Buildkite-Read-Only') === 'true';
  return { isReadOnly, toolsets: names.length === 0 ? null : (names as Toolset[]) };
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    throw new Problem('malformed', 'The request body must be JSON');
  }
}

/** Answers what goes wrong before the protocol has the request. */
function answerProblem(services: Services): ErrorRequestHandler {
  return (error: unknown, request: Request, response: Response, _next) => {
    const problem = problemOf(error);
    if (!problem) services.log.error({ ...requestFields(request, response), err: error }, 'request failed');
    if (response.headersSent) return void response.destroy();
    const reply = problem
      ? problemReply(problem)
      : {
          status: 500,
          body: { message: 'Internal Server Error', request_id: response.locals['requestId'] },
          headers: {},
        };
    if (reply.status === 401)
      response.set('WWW-Authenticate', `Bearer resource_metadata="${services.baseUrl}${metadataPath}"`);
    response.status(reply.status);
    if (reply.status !== 401) response.set(reply.headers);
    response.json(reply.body);
  };
}

import { createMcpHandler, type AuthInfo } from '@modelcontextprotocol/server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import type { UserActor } from '../auth/actor.js';
import { tokenPrefixes } from '../auth/secrets.js';
import { readingToolScopes, toolScopes } from '../domain/organizations/oauth/requested-scopes.js';
import { scopesAmong } from '../domain/organizations/scopes.js';
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
import { tools } from './tools/all.js';

/** Bytes of a request. */
const bodyBytes = 1024 * 1024;
/** Where clients read how to authorize themselves (RFC 9728); `web/well-known.ts` answers there. */
const metadataPath = '/.well-known/oauth-protected-resource/mcp';
/** Begins the tokens of programs that can ask their person for more. */
const oauthBearer = new RegExp(`^Bearer +${tokenPrefixes.oauth}`, 'i');

/**
 * MCP over streamable HTTP at `/mcp`, for API tokens as bearers, also those that programs got by OAuth: each request
 * stands for itself, in the protocol's revision of 2026 and in those before. `/readonly` has no tool that changes
 * anything; `/x/TOOLSET` only those of a group.
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
    if (oauthBearer.test(request.headers.authorization ?? '')) refuseNarrow(actor, body);
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

/**
 * Throws `scope_missing` where a program that got its token by OAuth calls a tool that the token may not: it is told by
 * the status of HTTP which scope to ask its person for. Others read it in the result of the tool.
 */
function refuseNarrow({ scopes }: UserActor, body: unknown): void {
  const call = toolCall.safeParse(body);
  const tool = call.success ? tools.find(({ name }) => name === call.data.params.name) : undefined;
  const scope = tool?.scopes().find((each) => !scopes.has(each));
  if (scope !== undefined)
    throw new Problem('scope_missing', `Your access token doesn't have the ${scope} scope`, { scope });
}

const toolCall = z.object({ method: z.literal('tools/call'), params: z.object({ name: z.string() }) });

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
    const challenge = problem ? challengeOf(services, request, response, problem) : null;
    if (challenge !== null) response.set('WWW-Authenticate', challenge);
    response.status(reply.status);
    if (reply.status !== 401) response.set(reply.headers);
    response.json(reply.body);
  };
}

/** How a program gets a token, or a better one: null where that would not help. */
function challengeOf(
  { baseUrl }: Services,
  request: Request,
  response: Response,
  { code, details }: Problem,
): string | null {
  const metadata = `resource_metadata="${baseUrl}${metadataPath}"`;
  if (code === 'unauthenticated') {
    const words = request.path.endsWith('/readonly') ? readingToolScopes : toolScopes;
    const reason = request.headers.authorization === undefined ? '' : 'error="invalid_token", ';
    return `Bearer ${reason}scope="${words.join(' ')}", ${metadata}`;
  }
  if (code !== 'scope_missing' || details.scope === undefined) return null;
  const actor = response.locals['actor'] as UserActor;
  const words = scopesAmong([...actor.scopes, details.scope]);
  return `Bearer error="insufficient_scope", scope="${words.join(' ')}", ${metadata}`;
}

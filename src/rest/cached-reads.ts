import type { IncomingMessage, ServerResponse } from 'node:http';
import type { UserActor } from '../auth/actor.js';
import { type Context, Context as RequestContext, type RequestFacts } from '../request/context.js';
import { limits } from '../domain/limits/limits.js';
import type { Scope } from '../domain/organizations/scopes.js';
import { noteUse } from '../http/authenticate-token.js';
import { wantsCurrent } from '../http/cache-control.js';
import { clientAddress, isSecure, originOf } from '../http/client-address.js';
import { compressReplies } from '../http/compress-replies.js';
import { timedOut } from '../http/request-bounds.js';
import { setRequestId } from '../http/request-id.js';
import { within } from '../http/within.js';
import type { ReplyVisit } from '../response-cache/response-cache.js';
import type { Services } from '../services/services.js';
import { versionHeader } from './requests/api-version.js';
import { setCommonHeaders, setScopeHeaders } from './replies/headers.js';
import { type SentReply, sendReply, startedAt } from './replies/send-reply.js';
import type { RateLimits } from './requests/rate-limit.js';
import { idleMs } from './requests/timeout.js';

/**
 * A reply that is kept, with the caller as found by a statement that is checked with it, and what its headers and the
 * log say of it.
 */
export interface CachedReply extends SentReply {
  actor: UserActor;
  /** The scope that its route requires. */
  scope: Scope | null;
  /** The organization in the path, whose requests are counted. */
  organization: string | undefined;
  /** Template of the route. */
  route: string;
}

/** Result of looking a read up among the kept replies. */
interface Looked {
  visit: ReplyVisit<CachedReply>;
  /** Why it must be refused. */
  failure?: unknown;
}

type Next = () => void;

/**
 * Answers reads of /v2 whose whole reply is kept, in front of the router: with the rate limits, the headers and the
 * records of every other reply, and without the layers that find a route, read a query and bound statements, since a
 * kept reply needs none of it. All other requests go on.
 */
export class CachedReads {
  private readonly looked = new WeakMap<IncomingMessage, Looked>();
  private readonly compress = compressReplies() as (
    request: IncomingMessage,
    response: ServerResponse,
    next: Next,
  ) => void;

  constructor(
    private readonly services: Services,
    private readonly rateLimits: RateLimits,
  ) {}

  /** Handles a request, or calls `next`; once, if it is asked again. */
  readonly handle = (request: IncomingMessage, response: ServerResponse, next: Next): void => {
    if (this.looked.has(request)) return next();
    const visit = this.visitOf(request);
    if (!visit) return next();
    const looked: Looked = { visit };
    this.looked.set(request, looked);
    if (!visit.isKept) return next();
    this.answer(request, response, visit).then(
      (isAnswered) => isAnswered || next(),
      (error: unknown) => {
        looked.failure = error;
        next();
      },
    );
  };

  /**
   * The visit of a request that {@link handle} has let pass, to a memory that may keep its reply. Throws what refuses
   * the request.
   */
  passed(request: IncomingMessage): ReplyVisit<CachedReply> | null {
    const looked = this.looked.get(request);
    if (looked && 'failure' in looked) throw looked.failure;
    return looked?.visit ?? null;
  }

  private visitOf(request: IncomingMessage): ReplyVisit<CachedReply> | null {
    const { fragmentCache, readReplica, trustsProxy } = this.services;
    const { authorization } = request.headers;
    const { method } = request;
    if (!fragmentCache || authorization === undefined || (method !== 'GET' && method !== 'HEAD')) return null;
    // The route checks it, where it looks at it.
    if (request.headers[versionHeader.toLowerCase()] !== undefined) return null;
    return fragmentCache.responses.visit<CachedReply>({
      surface: 'rest',
      by: authorization,
      what: readReplica && wantsCurrent(request) ? [urlOf(request), 'current'] : urlOf(request),
      ...originOf(request, trustsProxy),
    });
  }

  /** Whether the request could be answered. */
  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    visit: ReplyVisit<CachedReply>,
  ): Promise<boolean> {
    const { services } = this;
    const { clock, baseUrl, trustsProxy } = services;
    startedAt.set(response, process.hrtime.bigint());
    const ipAddress = clientAddress(request, trustsProxy);
    const take = visit.take(services, () => clock.now());
    const { requestMilliseconds = limits.requestSeconds * 1000 } = services.limits;
    const cached = await within(take, requestMilliseconds, timedOut);
    if (!cached) return false;
    if (response.destroyed) return true;
    const { actor } = cached;
    const requestId = setRequestId(request, response);
    setCommonHeaders(response, requestId, baseUrl.startsWith('https:') || isSecure(request, trustsProxy));
    setScopeHeaders(response, actor, cached.scope);
    const userAgent = request.headers['user-agent'] ?? null;
    const facts: RequestFacts = { actor, surface: 'rest', requestId, ipAddress, userAgent };
    const context = (): Context => new RequestContext(services, facts);
    await this.rateLimits.count({ now: clock.now(), context }, actor, cached.organization, response);
    noteUse(services, { ipAddress, userAgent }, actor, clock.now());
    const locals = localsOf(response);
    locals['actor'] = actor;
    locals['route'] = cached.route;
    response.setTimeout(idleMs, () => response.destroy());
    const send = () => sendReply(response, cached);
    if (request.headers['accept-encoding'] === undefined) {
      // As if it had been looked at.
      response.setHeader('Vary', 'Accept, Accept-Encoding');
      send();
    } else this.compress(request, response, send);
    return true;
  }
}

/** The whole URL, where a router that is mounted at a path has cut it too. */
const urlOf = (request: IncomingMessage & { originalUrl?: string }): string => request.originalUrl ?? request.url ?? '';

/** What Express and the records of the server know of a reply. */
const localsOf = (response: ServerResponse & { locals?: Record<string, unknown> }): Record<string, unknown> =>
  (response.locals ??= Object.create(null) as Record<string, unknown>);

import type { Request, Response } from 'express';
import { type Actor, actorFields } from '../auth/actor.js';

/** Log fields of one request: the same names on every surface. */
export interface RequestFields {
  request_id: string;
  method: string;
  /** Template of the route, such as `/v2/organizations/:organization`. */
  route: string;
  /** Kind of the caller, such as `user` or `agent`; absent before the caller is known. */
  actor?: string;
  actor_id?: string;
  /** Slug of the organization that the path names, once the caller is known. */
  organization?: string;
  /** Id of the organization of an agent, a registration token or a test suite. */
  organization_id?: string;
  /** Trace of the request; absent where none is recorded. */
  trace_id?: string;
}

/**
 * Returns the log fields of a request. Surfaces store the caller in `response.locals.actor` once it is authenticated.
 * Paths are logged as route templates because the URLs of badges, webhooks and signed files hold secrets.
 */
export function requestFields(request: Request, response: Response): RequestFields {
  const actor = response.locals['actor'] as Actor | undefined;
  const traceId: unknown = response.locals['traceId'];
  return {
    request_id: String(response.getHeader('X-Request-Id')),
    method: request.method,
    route: routeTemplate(request, response),
    ...(actor ? { ...actorFields(actor), ...organizationFields(request, actor) } : {}),
    ...(typeof traceId === 'string' ? { trace_id: traceId } : {}),
  };
}

const organizationInPath = /^\/v2\/organizations\/([\w.-]{1,255})(?=[/?]|$)/;

function organizationFields(
  { originalUrl, url }: Partial<Request>,
  actor: Actor,
): Pick<RequestFields, 'organization' | 'organization_id'> {
  const [, organization] = organizationInPath.exec(originalUrl ?? url ?? '') ?? [];
  if (organization !== undefined) return { organization };
  if (actor.kind === 'agent') return { organization_id: actor.agent.organizationId };
  return 'organizationId' in actor ? { organization_id: actor.organizationId } : {};
}

/**
 * The template of the route that answered, such as `/v2/organizations/:organization`; `unmatched` if none did. Replies
 * that were sent before a router had the request have it in `response.locals.route`.
 */
export function routeTemplate(request: Request, response?: Response): string {
  const noted: unknown = response?.locals['route'];
  if (typeof noted === 'string') return noted;
  const route = request.route as { path?: unknown } | undefined;
  // A request that Express never had, since its client left, has neither.
  if (typeof route?.path !== 'string') return request.baseUrl || 'unmatched';
  return `${request.baseUrl}${route.path}`;
}

import { perform } from '../core/operation.js';
import type { Json } from '../domain/pipelines/steps/step.js';
import type { Context } from '../request/context.js';
import { makeReply } from './make-reply.js';
import { piecesOf } from './replies/send-reply.js';
import type { JsonBody } from './requests/request-body.js';
import { parseQuery } from './requests/request-query.js';
import { RestRequest } from './requests/request.js';
import type { Method, Route } from './route.js';
import { routes } from './routes.js';

/** What a caller sends to a route. */
export interface RouteCall {
  params: Readonly<Record<string, string>>;
  query?: URLSearchParams;
  body?: JsonBody;
}

/** What a route answers: its body, and the query of the next page of a list. */
export interface RouteAnswer {
  body: Json;
  next: URLSearchParams | null;
}

const byMethodAndPath = new Map(routes.map((each) => [`${each.method} ${each.path}`, each]));

/** The route of the table with this method and path; throws where there is none. */
export function routeOf(method: Method, path: string): Route {
  const route = byMethodAndPath.get(`${method} ${path}`);
  if (!route) throw new Error(`there is no route ${method} ${path}`);
  return route;
}

/**
 * Performs a route within the process, for a surface that has what /v2 has: the same input, operation and reply. Throws
 * the problem of a refusal, and for a route whose reply is a stream.
 */
export async function callRoute(
  context: Context,
  route: Route,
  { params, query = new URLSearchParams(), body = {} }: RouteCall,
): Promise<RouteAnswer> {
  const { operation, reply } = route;
  if (reply.kind === 'stream') throw new Error(`${route.path} streams its reply`);
  const url = `${pathOf(route, params)}?${query.toString()}`;
  const restRequest = new RestRequest(params, parseQuery(url), body);
  const input = route.input(restRequest);
  if (reply.kind === 'redirect')
    return { body: { url: reply.target(context, await perform(operation, context, input)) }, next: null };
  const sent = await makeReply({ operation, reply }, context, { input, restRequest, url });
  return { body: sent.body === null ? null : jsonOf(sent.body), next: nextOf(sent.link ?? null) };
}

const pathOf = (route: Route, params: RouteCall['params']): string =>
  `/v2${route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))}`;

function jsonOf(body: Exclude<Awaited<ReturnType<typeof makeReply>>['body'], null>): Json {
  const text = typeof body === 'string' ? body : Buffer.concat(piecesOf(body)).toString('utf8');
  return JSON.parse(text) as Json;
}

/** The query of the next page that a `Link` header names. */
function nextOf(link: string | null): URLSearchParams | null {
  const next = /<([^>]+)>; rel="next"/.exec(link ?? '')?.[1];
  return next === undefined ? null : new URL(next).searchParams;
}

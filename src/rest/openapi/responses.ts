import type { JsonObject } from '../../domain/steps/step.js';
import type { Route } from '../route.js';
import { exampleOf } from './examples.js';
import { list, object, reference, type Schema, url } from './schema.js';
import type { SchemaName } from './schemas.js';

const header = (description: string, always = false, schema: Schema = { type: 'string' }): JsonObject => ({ description, ...(always ? { required: true } : {}), schema });
const headerReference = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` });

/** Headers of replies (rest-facts 1.2 and 1.5), by the names responses refer to. */
export const headers: JsonObject = {
  'X-Request-Id': header('Finds the request in the log.', true),
  'X-OAuth-Scopes': header('The scopes of the token, separated by commas.', true),
  'X-Accepted-OAuth-Scopes': header('The scope that the route takes.', true),
  ETag: header('Give it back in If-None-Match: an unchanged reply is 304.', true),
  Link: header('URLs of the first, prev, next and last page, where there are such.'),
  Location: header('Where it is, for a short time and without a credential.', true, url()),
  Allow: header('The methods of the path.', true),
  'WWW-Authenticate': header('Bearer', true),
  'Retry-After': header('Seconds after which another try makes sense.', true, { type: 'integer' }),
  'RateLimit-Limit': header('Requests a minute of the organization.', false, { type: 'integer' }),
  'RateLimit-Remaining': header('What is left of them.', false, { type: 'integer' }),
  'RateLimit-Reset': header('Seconds until the minute is over.', false, { type: 'integer' }),
  'RateLimit-User-Limit': header('Requests a minute of the user.', false, { type: 'integer' }),
  'RateLimit-User-Remaining': header('What is left of them.', false, { type: 'integer' }),
  'RateLimit-User-Reset': header('Seconds until the minute is over.', false, { type: 'integer' }),
};

const rateLimitHeaders = Object.keys(headers).filter((name) => name.startsWith('RateLimit-'));
const withHeaders = (...names: string[]): JsonObject => ({ headers: Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, headerReference(name)])) });

const errorResponse = (description: string, message: string, schema: SchemaName = 'Error', more: JsonObject = {}, ...headerNames: string[]): JsonObject => ({
  description,
  ...withHeaders(...headerNames),
  content: { 'application/json': { schema: reference(schema), example: { message, ...more } } },
});

/** Every refusal, once; routes refer to those that they can answer with (promises.md, "One rule each"). */
export const errorResponses: Readonly<Record<string, JsonObject>> = {
  BadRequest: errorResponse('A parameter or body that cannot be read, or a thing this never applies to.', 'The page parameter must be an integer'),
  Unauthorized: errorResponse('No valid token.', 'Authentication required. Please supply a valid API Access Token', 'Error', {}, 'WWW-Authenticate'),
  Forbidden: errorResponse('The scope or the permission is missing.', "Your access token doesn't have the write_builds scope"),
  NotFound: errorResponse('There is no such thing, or it may not be seen.', 'Not Found'),
  MethodNotAllowed: errorResponse('The path has no such method.', 'Method Not Allowed', 'Error', {}, 'Allow'),
  Conflict: errorResponse('The Idempotency-Key is in use, or was used with another request.', 'This Idempotency-Key was used with a different request'),
  TooLarge: errorResponse('The body is larger than is taken.', 'The request body is larger than 8388608 bytes'),
  UnsupportedMediaType: errorResponse('The body is no JSON.', 'The request body must be JSON'),
  Invalid: errorResponse('Wrong fields, or the state forbids it now.', 'Validation Failed', 'ValidationError', { errors: [{ field: 'name', code: 'missing' }] }),
  RateLimited: errorResponse(
    'Too many requests of the user or of the organization.', 'You have exceeded your API rate limit. Please wait 12 seconds before making more requests.',
    'RateLimited', { scope: 'rest_user', limit: 3000, current: 3001, reset: 12 }, 'Retry-After', ...rateLimitHeaders,
  ),
  Fault: errorResponse('A fault of the service.', 'Internal Server Error', 'Fault', { request_id: '01900000-0000-7000-8000-00000000000f' }),
  Unavailable: errorResponse('The service starts, stops, or is without its database.', 'The service is temporarily unavailable. Please try again.', 'Error', {}, 'Retry-After'),
};

const refusals: Readonly<Record<number, string>> = { 400: 'BadRequest', 401: 'Unauthorized', 403: 'Forbidden', 404: 'NotFound', 429: 'RateLimited', 500: 'Fault', 503: 'Unavailable' };
const refusalsOfWrites: Readonly<Record<409 | 413 | 415 | 422, string>> = { 409: 'Conflict', 413: 'TooLarge', 415: 'UnsupportedMediaType', 422: 'Invalid' };

/** Every status that a route can answer with. */
export function responsesOf(route: Route): JsonObject {
  const own = Object.fromEntries((route.refuses ?? []).map((status) => [status, refusalsOfWrites[status]]));
  const names = { ...refusals, ...(route.method === 'get' ? own : refusalsOfWrites) };
  return {
    ...success(route),
    ...(route.method === 'get' && route.reply.kind !== 'stream' ? { 304: { description: 'What the caller has is current.', ...withHeaders('ETag') } } : {}),
    ...Object.fromEntries(Object.entries(names).map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }])),
    ...also(route),
  };
}

const statuses = { 200: 'OK', 201: 'Created', 202: 'Accepted' } as const;
const cursorLinks = object({ self: url() }, { first: url(), prev: url(), next: url() });

function success({ reply, operation }: Route): JsonObject {
  const common = [...(operation.access === 'anyone' ? [] : ['X-OAuth-Scopes']), ...(operation.scope === null ? [] : ['X-Accepted-OAuth-Scopes']), ...rateLimitHeaders];
  switch (reply.kind) {
    case 'object':
      return { [reply.status]: { description: statuses[reply.status], ...withHeaders(...common, 'ETag'), content: json(reference(reply.schema)) } };
    case 'page':
      return { 200: { description: 'OK', ...withHeaders(...common, 'ETag', 'Link'), content: json(list(reference(reply.schema))) } };
    case 'list':
      return { 200: { description: 'OK', ...withHeaders(...common, 'ETag'), content: json(list(reference(reply.schema))) } };
    case 'cursor':
      return { 200: { description: 'OK', ...withHeaders(...common, 'ETag', 'Link'), content: json(object({ items: list(reference(reply.schema)), links: cursorLinks })) } };
    case 'redirect':
      return { 302: { description: 'Found', ...withHeaders(...common, 'Location'), content: json(reference('Link')) } };
    case 'empty':
      return { 204: { description: 'No Content', ...withHeaders(...common) } };
    case 'stream':
      return { 200: { description: 'OK', ...withHeaders(...common), content: contentsOf(reply.contents) } };
  }
}

function also(route: Route): JsonObject {
  return Object.fromEntries(
    Object.entries(route.also ?? {}).map(([status, { about, contents, headers: own = {} }]) => [
      status,
      {
        description: about,
        headers: { 'X-Request-Id': headerReference('X-Request-Id'), ...Object.fromEntries(Object.entries(own).map(([name, says]) => [name, header(says, true)])) },
        ...(contents ? { content: contentsOf(contents) } : {}),
      },
    ]),
  );
}

const contentsOf = (contents: Readonly<Record<string, SchemaName>>): JsonObject =>
  Object.fromEntries(Object.entries(contents).map(([type, name]) => [type, { schema: reference(name), example: exampleOf(reference(name)) }]));

function json(schema: Schema): JsonObject {
  return { 'application/json': { schema, example: exampleOf(schema) } };
}

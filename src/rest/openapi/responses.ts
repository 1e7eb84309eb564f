import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import type { Route } from '../route.js';
import { type Components } from './components.js';
import { exampleOf } from './examples.js';
import { arrayOf, described, object, reference, type Schema, url } from './schema.js';
import type { SchemaName } from './schemas.js';

const header = (description: string, always = false, schema: Schema = { type: 'string' }): JsonObject => ({
  description,
  ...(always ? { required: true } : {}),
  schema,
});
const headerReference = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` });

/** Headers of replies, by the names responses refer to. */
export const headers: JsonObject = {
  'X-Request-Id': header('ID of the request, which the log of the service names.', true),
  'X-OAuth-Scopes': header('Scopes of the token, separated by commas.', true),
  'X-Accepted-OAuth-Scopes': header('Scope that the operation requires.', true),
  ETag: header('Entity tag; send it in `If-None-Match` to get 304 for an unchanged reply.', true),
  Link: header('URLs of the `first`, `prev`, `next` and `last` page, as far as they exist.'),
  Location: header('Temporary URL that needs no token; of a 303 the URL of the object.', true, url),
  Allow: header('Methods of the path.', true),
  'WWW-Authenticate': header('Authentication scheme: `Bearer`.', true),
  'Retry-After': header('Seconds to wait before another attempt.', true, { type: 'integer' }),
  'RateLimit-Limit': header('Number of requests that the organization may make in a minute.', false, {
    type: 'integer',
  }),
  'RateLimit-Remaining': header('Number of requests left in this minute.', false, { type: 'integer' }),
  'RateLimit-Reset': header('Seconds until the next minute begins.', false, { type: 'integer' }),
  'RateLimit-User-Limit': header('Number of requests that the user may make in a minute.', false, { type: 'integer' }),
  'RateLimit-User-Remaining': header('Number of requests left in this minute.', false, { type: 'integer' }),
  'RateLimit-User-Reset': header('Seconds until the next minute begins.', false, { type: 'integer' }),
};

const rateLimitHeaders = Object.keys(headers).filter((name) => name.startsWith('RateLimit-'));
const withHeaders = (...names: string[]): JsonObject => ({
  headers: Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, headerReference(name)])),
});

const errorResponse = (
  description: string,
  message: string,
  schema: SchemaName = 'ErrorReply',
  more: JsonObject = {},
  ...headerNames: string[]
): JsonObject => ({
  description,
  ...withHeaders(...headerNames),
  content: { 'application/json': { schema: reference(schema), example: { message, ...more } } },
});

/** Declares every refusal once; routes refer to the ones they use. */
export const errorResponses: Readonly<Record<string, JsonObject>> = {
  BadRequest: errorResponse(
    'A parameter or body cannot be read, or the operation never applies to this kind of subject.',
    'The page parameter must be an integer',
  ),
  Unauthorized: errorResponse(
    'The token is missing, unknown, revoked or expired.',
    'Authentication required. Please supply a valid API Access Token',
    'ErrorReply',
    {},
    'WWW-Authenticate',
  ),
  Forbidden: errorResponse(
    'The token lacks the scope, or its user the permission.',
    "Your access token doesn't have the write_builds scope",
  ),
  NotFound: errorResponse('The subject does not exist, or the caller may not see it.', 'Not Found'),
  MethodNotAllowed: errorResponse(
    'The path does not take this method.',
    'Method Not Allowed',
    'ErrorReply',
    {},
    'Allow',
  ),
  Conflict: errorResponse(
    'The Idempotency-Key is in use by a running request, or was used with a different one.',
    'This Idempotency-Key was used with a different request',
  ),
  TooLarge: errorResponse(
    'The body is too large, or the reply would be.',
    'The reply would need more than 32 MiB: ask for fewer objects at a time (per_page, first), narrow the list ' +
      'by a filter, or read a single object',
  ),
  UnsupportedMediaType: errorResponse('The body is not JSON.', 'The request body must be JSON'),
  Invalid: errorResponse(
    'Fields are invalid, or the state of the subject does not allow the operation now.',
    'Validation Failed',
    'ValidationError',
    {
      errors: [{ field: 'name', code: 'missing' }],
    },
  ),
  HeadersTooLarge: { description: 'The URL and the headers of the request are larger than 16 KiB.' },
  TooManyRequests: errorResponse(
    'The rate limit of the user or of the organization is reached.',
    'You have exceeded your API rate limit. Please wait 12 seconds before making more requests.',
    'RateLimited',
    { scope: 'rest_user', limit: 3000, current: 3001, reset: 12 },
    'Retry-After',
    ...rateLimitHeaders,
  ),
  InternalError: errorResponse('An internal error.', 'Internal Server Error', 'Fault', {
    request_id: '01900000-0000-7000-8000-00000000000f',
  }),
  Unavailable: errorResponse(
    'The service is starting, stopping, or cannot reach its database.',
    'The service is temporarily unavailable. Please try again.',
    'ErrorReply',
    {},
    'Retry-After',
  ),
};

const refusals: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  413: 'TooLarge',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  503: 'Unavailable',
};
const refusalsOfWrites: Readonly<Record<409 | 415 | 422, string>> = {
  409: 'Conflict',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
};

/** Every status that a route can answer with. */
export function responsesOf(route: Route, components: Components): JsonObject {
  // A filter of a list may be too long, or none of the words that are taken.
  const refused: (409 | 415 | 422)[] = [...(route.refuses ?? []), ...(route.query ? ([422] as const) : [])];
  const own = Object.fromEntries(refused.map((status) => [status, refusalsOfWrites[status]]));
  const names = { ...refusals, ...(route.method === 'get' ? own : refusalsOfWrites) };
  return {
    ...success(route, components),
    ...(route.method === 'get' && route.reply.kind !== 'stream'
      ? {
          304: components.refer('responses', 'NotModified', {
            description: 'The reply that the caller has is current.',
            ...withHeaders('ETag'),
          }),
        }
      : {}),
    ...(route.method !== 'get' && route.reply.kind === 'object'
      ? {
          303: components.refer('responses', 'CarriedOut', {
            description:
              'The first request with this Idempotency-Key was carried out; its reply was too large to be kept.',
            ...withHeaders('Location'),
            content: json(reference('Link')),
          }),
        }
      : {}),
    ...Object.fromEntries(
      Object.entries(names).map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
    ),
    ...also(route),
  };
}

/** The name of a schema in words: `PipelineSchedule` is "pipeline schedule". */
const wordsOf = (schema: SchemaName) => schema.replace(/(?<!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();

const cursorPage = (rows: Schema) =>
  object({
    items: described(arrayOf(rows), 'Rows of the page.'),
    links: described(reference('CursorLinks'), 'URLs of other pages.'),
  });

function success({ reply, operation }: Route, components: Components): JsonObject {
  const common = [
    ...(operation.access === 'anyone' ? [] : ['X-OAuth-Scopes']),
    ...(operation.scope === null ? [] : ['X-Accepted-OAuth-Scopes']),
    ...rateLimitHeaders,
  ];
  switch (reply.kind) {
    case 'object':
      return {
        [reply.status]: components.refer('responses', `${reply.schema}Reply`, {
          description: `The ${wordsOf(reply.schema)}.`,
          ...withHeaders(...common, 'ETag'),
          content: json(reference(reply.schema)),
        }),
      };
    case 'objects':
      return {
        [reply.status]: {
          description: `A list: ${wordsOf(reply.schema)} by row.`,
          ...withHeaders(...common),
          content: json(arrayOf(reference(reply.schema))),
        },
      };
    case 'page':
      return {
        200: components.refer('responses', `${reply.schema}Page`, {
          description: `One page of a list: ${wordsOf(reply.schema)} by row.`,
          ...withHeaders(...common, 'ETag', 'Link'),
          content: json(arrayOf(reference(reply.schema))),
        }),
      };
    case 'list':
      return {
        200: components.refer('responses', `${reply.schema}List`, {
          description: `A whole list: ${wordsOf(reply.schema)} by row.`,
          ...withHeaders(...common, 'ETag'),
          content: json(arrayOf(reference(reply.schema))),
        }),
      };
    case 'cursor':
      return {
        200: components.refer('responses', `${reply.schema}CursorReply`, {
          description: `One page of a list: ${wordsOf(reply.schema)} by row.`,
          ...withHeaders(...common, 'ETag', 'Link'),
          content: json(cursorPage(reference(reply.schema)), (schema) =>
            components.refer('schemas', `${reply.schema}CursorPage`, schema),
          ),
        }),
      };
    case 'redirect':
      return {
        302: components.refer('responses', 'Redirection', {
          description: 'A redirection to the temporary URL, which the body has too.',
          ...withHeaders(...common, 'Location'),
          content: json(reference('Link')),
        }),
      };
    case 'empty':
      return {
        204: components.refer('responses', 'Done', { description: 'Done; without a body.', ...withHeaders(...common) }),
      };
    case 'stream':
      return { 200: { description: 'OK', ...withHeaders(...common), content: contentsOf(reply.contents) } };
  }
}

function also(route: Route): JsonObject {
  return Object.fromEntries(
    Object.entries(route.also ?? {}).map(([status, { description, contents, headers: own = {} }]) => [
      status,
      {
        description,
        headers: {
          'X-Request-Id': headerReference('X-Request-Id'),
          ...Object.fromEntries(Object.entries(own).map(([name, says]) => [name, header(says, true)])),
        },
        ...(contents ? { content: contentsOf(contents) } : {}),
      },
    ]),
  );
}

const contentsOf = (contents: Readonly<Record<string, SchemaName>>): JsonObject =>
  Object.fromEntries(
    Object.entries(contents).map(([type, name]) => [
      type,
      { schema: reference(name), example: exampleOf(reference(name)) },
    ]),
  );

/** @param named gives the schema a name, to which the document refers */
function json(schema: Schema, named: (schema: Schema) => Schema = (same) => same): JsonObject {
  return { 'application/json': { schema: named(schema), example: exampleOf(schema) } };
}

import { z } from 'zod';
import type { Json, JsonObject } from '../domain/steps/step.js';
import { snake } from './field-names.js';
import { reference, type Schema } from './openapi/schema.js';
import { type SchemaName, schemas } from './openapi/schemas.js';
import type { QueryParameter, Route } from './route.js';
import { routes as allRoutes } from './routes.js';

/** What of an operation's input comes from the path or the surface, never from a body. */
const notInBody = new Set(['organization', 'pipeline', 'build', 'job', 'cluster', 'within', 'paging', 'useDefaults', 'archived', 'of', 'looksAlone']);

/**
 * The OpenAPI 3.1 document of /v2, made from the table, the operations' inputs and the shapes of replies. The same
 * table gives the same text, so that the committed document can be compared with it.
 */
export function openApiDocument(baseUrl: string, routes: readonly Route[] = allRoutes): JsonObject {
  const paths: Record<string, JsonObject> = {};
  const ids = new Set<string>();
  for (const route of routes) {
    const id = route.variant === undefined ? route.operation.name : `${route.operation.name}.${route.variant}`;
    if (ids.has(id)) throw new Error(`two routes have the operation id ${id}: give one a variant`);
    ids.add(id);
    (paths[`/v2${route.path}`] ??= {})[route.method] = describeRoute(route, id);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Slipway REST API',
      version: '2',
      description: 'Pipelines, builds, jobs and logs. Lists are paginated with `page` and `per_page`; follow the `Link` header.',
    },
    servers: [{ url: baseUrl }],
    security: [{ token: [] }],
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, schemas },
  };
}

function describeRoute(route: Route, id: string): JsonObject {
  const { operation } = route;
  return {
    operationId: id,
    summary: operation.summary,
    tags: [operation.name.split('.', 1)[0] ?? ''],
    ...(operation.scope === null ? {} : { 'x-scope': operation.scope }),
    ...(operation.access === 'anyone' ? { security: [] } : {}),
    parameters: [...pathParameters(route.path), ...queryParameters(route)],
    ...(route.takesBody ? { requestBody: { content: json(bodySchema(route)) } } : {}),
    responses: { ...successResponses(route), ...errorResponses(route) },
  };
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

const pageParameters: readonly QueryParameter[] = [
  { name: 'page', type: 'integer', about: 'The page, from 1.' },
  { name: 'per_page', type: 'integer', about: 'Rows of a page: 30 by default, at most 100.' },
];

function queryParameters({ reply, query = [] }: Route): JsonObject[] {
  return [...query, ...(reply.kind === 'page' ? pageParameters : [])].map(({ name, type, about }) => ({
    name: type === 'list' ? `${name}[]` : name,
    in: 'query',
    description: about,
    ...(type === 'map' ? { style: 'deepObject', explode: true } : {}),
    schema: parameterSchemas[type],
  }));
}

const parameterSchemas: Record<QueryParameter['type'], Schema> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  time: { type: 'string', format: 'date-time' },
  list: { type: 'array', items: { type: 'string' } },
  map: { type: 'object', additionalProperties: { type: 'string' } },
};

/** The operation's input without what the path says, under the names of /v2. */
function bodySchema({ operation, requires = [] }: Route): Schema {
  const whole = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }) as { properties?: Record<string, Json>; required?: string[] };
  const properties = Object.entries(whole.properties ?? {}).filter(([name]) => !notInBody.has(name));
  const required = [...(whole.required ?? []).filter((name) => !notInBody.has(name)), ...requires].map(snake);
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map(([name, schema]) => [snake(name), schema])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function successResponses({ reply }: Route): JsonObject {
  switch (reply.kind) {
    case 'object':
      return { [reply.status]: { description: reply.status === 201 ? 'Created' : 'OK', content: json(reference(reply.schema)) } };
    case 'page':
      return {
        200: {
          description: 'OK',
          headers: { Link: { description: 'URLs of the first, prev, next and last page.', schema: { type: 'string' } } },
          content: json({ type: 'array', items: reference(reply.schema) }),
        },
      };
    case 'list':
      return { 200: { description: 'OK', content: json({ type: 'array', items: reference(reply.schema) }) } };
    case 'empty':
      return { 204: { description: 'No Content' } };
    case 'stream':
      return { 200: { description: 'OK', content: Object.fromEntries(Object.entries(reply.contents).map(([type, name]) => [type, { schema: reference(name) }])) } };
  }
}

function errorResponses({ method }: Route): JsonObject {
  const error = (description: string, name: SchemaName = 'Error') => ({ description, content: json(reference(name)) });
  return {
    400: error('A parameter or body that cannot be read, or a thing this never applies to'),
    401: error('No valid token'),
    403: error('The scope or the permission is missing'),
    404: error('Not found, or not to be seen'),
    ...(method === 'get' ? {} : { 409: error('The Idempotency-Key is in use'), 422: error('Wrong input, or the state forbids it', 'ValidationError') }),
    500: error('A fault of the service', 'Fault'),
  };
}

function json(schema: Schema): JsonObject {
  return { 'application/json': { schema } };
}

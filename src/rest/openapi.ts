import type { JsonObject } from '../domain/steps/step.js';
import { exampleOf } from './openapi/examples.js';
import { parametersOf } from './openapi/parameters.js';
import { bodySchema } from './openapi/request-body.js';
import { errorResponses, headers, responsesOf } from './openapi/responses.js';
import { schemas } from './openapi/schemas.js';
import type { Route } from './route.js';
import { routes as allRoutes } from './routes.js';

/**
 * The OpenAPI 3.1 document of /v2, made from the table, the operations' inputs and the shapes of replies. The same
 * table gives the same text, so that the committed document can be compared with it. Tests hold every reply of the
 * REST suite against it.
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
      description:
        'Pipelines, builds, jobs and logs. Lists are paginated with `page` and `per_page`; follow the `Link` header. Every path also answers with a trailing slash, HEAD where it answers GET, and OPTIONS; other methods are 405 with `Allow`.',
    },
    servers: [{ url: baseUrl }],
    security: [{ token: [] }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'An API token with the scope that the operation names in `x-scope`.' } },
      headers,
      responses: errorResponses,
      schemas: { ...schemas },
    },
  };
}

const tagOf = ({ operation }: Route) => operation.name.split('.', 1)[0] ?? '';

function describeRoute(route: Route, id: string): JsonObject {
  const { operation } = route;
  return {
    operationId: id,
    summary: operation.summary,
    tags: [tagOf(route)],
    ...(operation.scope === null ? {} : { 'x-scope': operation.scope }),
    ...(operation.access === 'anyone' ? { security: [] } : {}),
    parameters: parametersOf(route),
    ...(route.takesBody ? { requestBody: requestBody(route) } : {}),
    responses: responsesOf(route),
  };
}

function requestBody(route: Route): JsonObject {
  const schema = bodySchema(route);
  return { required: 'required' in schema, content: { 'application/json': { schema, example: exampleOf(schema) } } };
}

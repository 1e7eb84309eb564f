import type { JsonObject } from '../domain/pipelines/steps/step.js';
import { componentName, Components } from './openapi/components.js';
import { parametersOf } from './openapi/parameters.js';
import { bodySchema } from './openapi/request-body.js';
import { requestExamples } from './openapi/request-examples.js';
import { errorResponses, headers, responsesOf } from './openapi/responses.js';
import { schemas } from './openapi/schemas.js';
import { securityOf, securitySchemes } from './openapi/security.js';
import type { Route } from './route.js';
import { routes as allRoutes } from './routes.js';

/**
 * Makes the OpenAPI 3.1 document of /v2 from the table of routes, the inputs of operations and the resources of
 * `present/`. The same table always gives the same text: the committed document is compared with it. Tests check
 * every reply of the REST suite against it.
 */
export function openApiDocument(baseUrl: string, routes: readonly Route[] = allRoutes): JsonObject {
  const paths: Record<string, JsonObject> = {};
  const components = new Components(schemas, errorResponses);
  const ids = new Set<string>();
  for (const route of routes) {
    const id = route.variant === undefined ? route.operation.name : `${route.operation.name}.${route.variant}`;
    if (ids.has(id)) throw new Error(`two routes have the operation id ${id}: give one a variant`);
    ids.add(id);
    (paths[`/v2${route.path}`] ??= {})[route.method] = describeRoute(route, id, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Slipway REST API',
      version: '2',
      description:
        'Pipelines, builds, jobs and logs. Lists are paginated with `page` and `per_page`; follow the `Link` ' +
        'header. Every path also answers with a trailing slash, HEAD where it answers GET, and OPTIONS; other ' +
        'methods are 405 with `Allow`.',
    },
    servers: [{ url: baseUrl }],
    security: [{ token: [] }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: securitySchemes(baseUrl),
      headers,
      ...components.all(),
    },
  };
}

const tagOf = ({ operation }: Route) => operation.name.split('.', 1)[0] ?? '';

/** Returns the description of an operation: its effect, the token it needs and how its reply is paged. */
function describeOperation({ operation, reply }: Route): string {
  return [operation.summary, requirement(operation), ...(pagingNotes[reply.kind] ?? [])].join(' ');
}

function requirement({ access, scope }: Route['operation']): string {
  if (access === 'anyone') return 'Needs no token.';
  return scope === null ? 'Takes any valid token.' : `Requires a token with the \`${scope}\` scope.`;
}

const pagingNotes: Partial<Record<Route['reply']['kind'], string[]>> = {
  page: ['The reply is one page; the `Link` header has the URLs of others.'],
  cursor: ['The reply is one page; `links` and the `Link` header have the URLs of others.'],
  list: ['The reply is the whole list.'],
  redirect: ['The reply is a redirection to a temporary URL.'],
};

function describeRoute(route: Route, id: string, components: Components): JsonObject {
  const { operation } = route;
  return {
    operationId: id,
    summary: operation.summary,
    description: describeOperation(route),
    tags: [tagOf(route)],
    ...(operation.scope === null ? {} : { 'x-scope': operation.scope }),
    security: securityOf(operation),
    parameters: parametersOf(route, components),
    ...(route.takesBody ? { requestBody: requestBody(route, components) } : {}),
    responses: responsesOf(route, components),
  };
}

function requestBody(route: Route, components: Components): JsonObject {
  const schema = bodySchema(route);
  const named = components.refer('schemas', componentName(route.operation.name, 'request'), schema);
  const example = requestExamples[route.operation.name] ?? {};
  return { required: 'required' in schema, content: { 'application/json': { schema: named, example } } };
}

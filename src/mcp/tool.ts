import { z } from 'zod';
import type { AnyOperation } from '../core/operation.js';
import type { Json, JsonObject } from '../domain/pipelines/steps/step.js';
import type { Scope } from '../domain/organizations/scopes.js';
import type { Context } from '../request/context.js';
import { callRoute, routeOf } from '../rest/call-route.js';
import type { Method, Route } from '../rest/route.js';

/** Tools that belong together; a client may ask for some of the groups only. */
export const toolsets = [
  'user',
  'clusters',
  'agents',
  'pipelines',
  'builds',
  'logs',
  'artifacts',
  'annotations',
  'tests',
  'investigations',
  'skills',
] as const;
export type Toolset = (typeof toolsets)[number];

/** A call of a tool. */
export interface ToolCall {
  /** A context of the request's own; each shows rows as they are when it was made. */
  context: () => Context;
  signal: AbortSignal;
}

/** A tool of the MCP server: a name, what it takes, and how its reply is made from operations of the product. */
export interface Tool {
  name: string;
  toolset: Toolset;
  title: string;
  description: string;
  input: z.ZodObject;
  isReadOnly: boolean;
  isDestructive: boolean;
  isIdempotent: boolean;
  /** Scopes that a token needs for it, whatever its arguments. */
  scopes: () => readonly Scope[];
  run: (call: ToolCall, args: Record<string, unknown>) => Promise<JsonObject>;
}

/** Path parameters of /v2 by the names of arguments. */
const pathParameters: Readonly<Record<string, string>> = {
  org_slug: 'org',
  pipeline_slug: 'slug',
  build_number: 'number',
  job_id: 'job',
  job_uuid: 'job',
  cluster_id: 'cluster',
  queue_id: 'queue',
  agent_id: 'agent',
  schedule_id: 'schedule',
  artifact_id: 'artifact',
  upload_uuid: 'upload',
  search_id: 'search',
  test_suite_slug: 'suite',
  run_id: 'run',
  test_id: 'test',
  build_uuid: 'build',
};

/** An argument list is a comma list of words for parameters that take several values. */
type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface RouteTool<Shape extends z.ZodRawShape> {
  name: string;
  toolset: Toolset;
  title: string;
  description: string;
  input: Shape;
  method: Method;
  path: string | ((args: z.output<z.ZodObject<Shape>>) => string);
  /** Parameters of the query; without it the arguments that are not in the path. */
  query?: (args: z.output<z.ZodObject<Shape>>) => Query;
  /** Fields of the body; without it the arguments that are not in the path. */
  body?: (args: z.output<z.ZodObject<Shape>>) => JsonObject;
  /** Makes the reply smaller, or says more in it. */
  shape?: (body: Json, args: z.output<z.ZodObject<Shape>>) => Json;
  isDestructive?: boolean;
  isIdempotent?: boolean;
}

/** A tool that is one route of /v2: its operation, its scope and its reply, shaped to be small. */
export function routeTool<Shape extends z.ZodRawShape>(definition: RouteTool<Shape>): Tool {
  const { name, toolset, title, description, input, method, path, shape = (body) => body } = definition;
  const isReadOnly = method === 'get';
  const routeFor = (args: z.output<z.ZodObject<Shape>>) =>
    routeOf(method, typeof path === 'string' ? path : path(args));
  return {
    name,
    toolset,
    title,
    description,
    input: z.strictObject(input),
    isReadOnly,
    isDestructive: definition.isDestructive ?? false,
    isIdempotent: definition.isIdempotent ?? isReadOnly,
    scopes: () => scopesOf(routeFor({} as z.output<z.ZodObject<Shape>>)),
    run: async ({ context }, raw) => {
      const args = raw as z.output<z.ZodObject<Shape>>;
      const route = routeFor(args);
      const call = callOf(route, raw, { query: definition.query?.(args), body: definition.body?.(args) });
      const { body, next } = await callRoute(context(), route, call);
      return replyOf(shape(body, args), next);
    },
  };
}

/** The scope of what a tool performs: of a route, or of an operation. */
export const scopesOf = (...performed: readonly (Route | Pick<AnyOperation, 'scope'>)[]): Scope[] =>
  performed.flatMap((each) => ('operation' in each ? each.operation.scope : each.scope) ?? []);

function callOf(
  route: Route,
  args: Record<string, unknown>,
  { query, body }: { query: Query | undefined; body: JsonObject | undefined },
) {
  const params: Record<string, string> = {};
  const others: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    const parameter = pathParameters[name];
    if (parameter !== undefined && route.path.includes(`{${parameter}}`)) params[parameter] = String(value);
    else if (value !== undefined) others[name] = value;
  }
  if (route.method === 'get') return { params, query: queryOf(query ?? (others as Query)) };
  return { params, body: body ?? (others as JsonObject) };
}

function queryOf(query: Query): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const each of value as readonly string[]) parameters.append(`${name}[]`, each);
    else parameters.append(name, String(value));
  }
  return parameters;
}

/** Lists become `items`, with what asks for the next page. */
function replyOf(body: Json, next: URLSearchParams | null): JsonObject {
  if (Array.isArray(body)) return { items: body, next_page: next === null ? null : Number(next.get('page')) };
  if (body === null) return { done: true };
  if (typeof body !== 'object') return { value: body };
  return 'items' in body && 'links' in body
    ? { items: body['items'] as Json, next_after: next?.get('after') ?? null }
    : body;
}

// Arguments that many tools have.

export const organization = { org_slug: z.string().describe('Slug of the organization') };
export const pipeline = { ...organization, pipeline_slug: z.string().describe('Slug of the pipeline') };
export const build = {
  ...pipeline,
  build_number: z
    .union([z.string(), z.number().int()])
    .transform(String)
    .pipe(z.string().regex(/^\d{1,10}$/))
    .describe('Number of the build'),
};
export const job = { ...build, job_id: z.string().describe('UUID of the job') };
export const pages = {
  page: z.number().int().min(1).optional().describe('Number of the page, from 1'),
  per_page: z.number().int().min(1).max(100).optional().describe('Rows of a page, at most 100; 30 by default'),
};
export const detail = (usual: 'summary' | 'detailed' | 'full') => ({
  detail_level: z
    .enum(['summary', 'detailed', 'full'])
    .default(usual)
    .describe(`How much of each thing the reply shows; ${usual} by default`),
});

/** Words with commas between, for parameters that take several. */
export const wordsOf = (text: string | undefined): string[] | undefined =>
  text
    ?.split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Some fields of an object, where it has them. */
export function pick(value: Json | undefined, names: readonly string[]): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value ?? null;
  return Object.fromEntries(names.flatMap((name) => (name in value ? [[name, value[name] as Json]] : [])));
}

/** The items of a list, each shaped. */
export const eachOf =
  (shape: (item: Json) => Json) =>
  (body: Json): Json => {
    if (Array.isArray(body)) return body.map(shape);
    if (typeof body === 'object' && body !== null && Array.isArray(body['items']))
      return { ...body, items: (body['items'] as Json[]).map(shape) };
    return shape(body);
  };

/** The address of the job that arguments name, below its build or below its organization. */
export const jobAddressOf = (args: Record<string, unknown>) => ({
  organization: args['org_slug'],
  id: args['job_id'] ?? args['job_uuid'],
  ...(args['pipeline_slug'] === undefined || args['build_number'] === undefined
    ? {}
    : { pipeline: args['pipeline_slug'], number: args['build_number'] }),
});

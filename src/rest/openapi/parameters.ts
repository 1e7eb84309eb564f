import type { JsonObject } from '../../domain/steps/step.js';
import type { QueryParameter, Route } from '../route.js';
import type { Schema } from './schema.js';

const uuid = '01900000-0000-7000-8000-000000000001';

/** What stands in a path, by the name it has there; any other is an id. */
const pathWords: Readonly<Record<string, readonly [about: string, example: string | number]>> = {
  org: ['Slug of the organization.', 'acme'],
  slug: ['Slug of the pipeline.', 'deploy'],
  number: ['Number of the build, unique in its pipeline.', 42],
  suite: ['Slug of the test suite.', 'unit-tests'],
};

/** Parameters of a route: those in braces of its path, those of its query, pages of lists, and the key of writes. */
export function parametersOf(route: Route): JsonObject[] {
  return [...pathParameters(route.path), ...queryParameters(route), ...(route.method === 'get' ? [] : [idempotencyKey])];
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const [description, example] = pathWords[name] ?? [`Id of the ${name.replaceAll('_', ' ')}.`, uuid];
    return { name, in: 'path', required: true, description, schema: { type: typeof example === 'number' ? 'integer' : 'string' }, example };
  });
}

/** promises.md, Idempotency-Key. */
const idempotencyKey: JsonObject = {
  name: 'Idempotency-Key', in: 'header', description: 'At most 255 characters, kept 24 hours: a repetition with the same key and body gets the first reply.', schema: { type: 'string', maxLength: 255 },
};

const pageParameters: readonly QueryParameter[] = [
  { name: 'page', type: 'integer', about: 'The page, from 1.' },
  { name: 'per_page', type: 'integer', about: 'Rows of a page: 30 by default, at most 100.' },
];

const cursorParameters: readonly QueryParameter[] = [
  { name: 'per_page', type: 'integer', about: 'Rows of a page: 30 by default, at most 100.' },
  { name: 'after', type: 'string', about: 'Only what comes after this cursor; follow `links.next`.' },
  { name: 'before', type: 'string', about: 'Only what comes before this cursor; follow `links.prev`.' },
];

function queryParameters({ reply, query = [] }: Route): JsonObject[] {
  return [...query, ...(reply.kind === 'page' ? pageParameters : reply.kind === 'cursor' ? cursorParameters : [])].map(({ name, type, about }) => ({
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

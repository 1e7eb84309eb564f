import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import type { QueryParameter, Route } from '../route.js';
import type { Schema } from './schema.js';

const uuid = '01900000-0000-7000-8000-000000000001';

/** Descriptions of path parameters by name; any other parameter is an id. */
const pathWords: Readonly<Record<string, readonly [description: string, example: string | number]>> = {
  org: ['Slug of the organization.', 'acme'],
  slug: ['Slug of the pipeline.', 'deploy'],
  number: ['Number of the build, unique in its pipeline.', 42],
  suite: ['Slug of the test suite.', 'unit-tests'],
};

/**
 * Returns the parameters of a route: those of its path and its query, those of paged lists, and the idempotency key of
 * writes.
 */
export function parametersOf(route: Route): JsonObject[] {
  return [
    ...pathParameters(route.path),
    ...queryParameters(route),
    ...(route.method === 'get' ? [] : [idempotencyKey]),
  ];
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const [description, example] = pathWords[name] ?? [`ID of the ${name.replaceAll('_', ' ')}.`, uuid];
    return {
      name,
      in: 'path',
      required: true,
      description,
      schema: { type: typeof example === 'number' ? 'integer' : 'string' },
      example,
    };
  });
}

/** The header that makes a repeated request return its first reply. */
const idempotencyKey: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Key of at most 255 characters that makes a retry safe: for 24 hours, a request with the same key and body gets the first reply.',
  schema: { type: 'string', maxLength: 255 },
};

const pageParameters: readonly QueryParameter[] = [
  { name: 'page', type: 'integer', description: 'Number of the page, from 1.' },
  { name: 'per_page', type: 'integer', description: 'Number of rows on a page: 30 by default, at most 100.' },
];

const cursorParameters: readonly QueryParameter[] = [
  { name: 'per_page', type: 'integer', description: 'Number of rows on a page: 30 by default, at most 100.' },
  {
    name: 'after',
    type: 'string',
    description: 'Cursor of the row before the page; follow `links.next` instead of building it.',
  },
  {
    name: 'before',
    type: 'string',
    description: 'Cursor of the row after the page; follow `links.prev` instead of building it.',
  },
];

function queryParameters({ reply, query = [] }: Route): JsonObject[] {
  const ofPages: Partial<Record<Route['reply']['kind'], typeof pageParameters>> = {
    page: pageParameters,
    cursor: cursorParameters,
  };
  return [...query, ...(ofPages[reply.kind] ?? [])].map(({ name, type, description }) => ({
    name: type === 'list' ? `${name}[]` : name,
    in: 'query',
    description,
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

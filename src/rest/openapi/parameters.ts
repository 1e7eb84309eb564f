import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import { cursorLength } from '../../core/paging.js';
import { limits } from '../../domain/limits/limits.js';
import type { QueryParameter, Route } from '../route.js';
import { versionHeader } from '../requests/api-version.js';
import { queryValueLength } from '../requests/request-query.js';
import { componentName, type Components } from './components.js';
import { exampleId } from './request-examples.js';
import type { Schema } from './schema.js';

const largestNumber = 2_147_483_647;

/** Path parameters that are no ids, by name, with an example in the demo organization. */
const pathParametersByName: Readonly<
  Record<string, { component: string; description: string; schema: Schema; example: string | number }>
> = {
  org: {
    component: 'OrganizationSlug',
    description: 'Slug of the organization.',
    schema: { type: 'string', minLength: 1 },
    example: 'demo',
  },
  slug: {
    component: 'PipelineSlug',
    description: 'Slug of the pipeline.',
    schema: { type: 'string', minLength: 1 },
    example: 'hello',
  },
  number: {
    component: 'BuildNumber',
    description: 'Number of the build, unique in its pipeline.',
    schema: { type: 'integer', minimum: 1, maximum: largestNumber },
    example: 1,
  },
  suite: {
    component: 'SuiteSlug',
    description: 'Slug of the test suite.',
    schema: { type: 'string', minLength: 1 },
    example: 'unit-tests',
  },
};

/**
 * Returns the parameters of a route: of its path, its query and its pages, and the idempotency key of writes.
 * Parameters of paths, pages and keys are components.
 */
export function parametersOf(route: Route, components: Components): JsonObject[] {
  return [
    ...pathParameters(route.path).map((each) => refer(components, each)),
    ...(route.query ?? []).map(queryParameter),
    ...(pagingParameters[route.reply.kind] ?? []).map((each) => refer(components, each)),
    ...(route.versioned ? [refer(components, version)] : []),
    ...(route.method === 'get' ? [] : [refer(components, idempotencyKey)]),
  ];
}

/**
 * Component of a parameter by its name; lists with cursors and lists with numbered pages have parameters with different
 * bounds.
 */
const refer = (components: Components, { component, ...parameter }: JsonObject & { component?: string }) =>
  components.refer('parameters', component ?? componentName(String(parameter['name'])), parameter);

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    // A suite is named by its slug below /analytics, by its id below a team.
    ...((name === 'suite' && !path.startsWith('/analytics') ? undefined : pathParametersByName[name]) ?? {
      component: componentName(name, 'id'),
      description: `ID of the ${name.replaceAll('_', ' ')}.`,
      schema: { type: 'string', format: 'uuid' },
      example: exampleId,
    }),
  }));
}

/** The header that makes a repeated request return its first reply. */
const idempotencyKey: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    `Key of at most ${limits.idempotencyKeyLength} characters that makes a retry safe: for 24 hours, ` +
    `a request with the same key and body gets the first reply.`,
  schema: { type: 'string', maxLength: limits.idempotencyKeyLength },
};

/** What clients of tests say of themselves. */
const version: JsonObject = {
  name: versionHeader,
  in: 'header',
  description: 'Version of the API for which the client is made, a day; every version has the same reply.',
  schema: { type: 'string', format: 'date' },
};

const pageParameters: readonly JsonObject[] = [
  {
    name: 'page',
    in: 'query',
    description: 'Number of the page, from 1; a smaller number is the first page.',
    schema: { type: 'integer', default: 1 },
  },
  {
    name: 'per_page',
    in: 'query',
    description:
      `Number of rows on a page: at most ${limits.perPageMax}, to which a larger number is reduced; ` +
      `a number below 1 is the default.`,
    schema: { type: 'integer', default: limits.perPageDefault },
  },
];

/** Opaque, but no other letters are taken. */
const cursor: Schema = { type: 'string', pattern: '^[A-Za-z0-9_-]*$', maxLength: cursorLength };

const cursorParameters: readonly (JsonObject & { component?: string })[] = [
  {
    component: 'CursorPerPage',
    name: 'per_page',
    in: 'query',
    description: 'Number of rows on a page.',
    schema: { type: 'integer', minimum: 1, maximum: limits.perPageMax, default: limits.perPageDefault },
  },
  {
    name: 'after',
    in: 'query',
    description:
      'Cursor of the row before the page; follow `links.next` instead of building it: any other text, and the ' +
      'cursor of another list, is answered 400.',
    schema: cursor,
  },
  {
    name: 'before',
    in: 'query',
    description:
      'Cursor of the row after the page; follow `links.prev` instead of building it: any other text, the cursor ' +
      'of another list, and one together with `after` is answered 400.',
    schema: cursor,
  },
];

const pagingParameters: Partial<Record<Route['reply']['kind'], readonly (JsonObject & { component?: string })[]>> = {
  page: pageParameters,
  cursor: cursorParameters,
};

function queryParameter({ name, type, description, values, mostKeys, required, example }: QueryParameter): JsonObject {
  return {
    name: type === 'list' ? `${name}[]` : name,
    in: 'query',
    description,
    ...(required ? { required } : {}),
    ...(type === 'map' ? { style: 'deepObject', explode: true } : {}),
    schema: { ...schemaOf(type, values), ...(mostKeys === undefined ? {} : { maxProperties: mostKeys }) },
    ...(example === undefined ? {} : { example }),
  };
}

function schemaOf(type: QueryParameter['type'], values: QueryParameter['values']): Schema {
  const word: Schema = values
    ? { type: 'string', enum: [...values] }
    : { type: 'string', maxLength: limits.filterLength };
  switch (type) {
    case 'string':
      return word;
    case 'id':
      return { type: 'string', format: 'uuid' };
    case 'list':
      return { type: 'array', items: word, maxItems: limits.filterValues };
    case 'time':
      return { type: 'string', format: 'date-time' };
    case 'map':
      return { type: 'object', additionalProperties: { type: 'string', maxLength: queryValueLength } };
    default:
      return { type };
  }
}

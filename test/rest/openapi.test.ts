import { bodySchema } from '../../src/rest/openapi/request-body.js';
import { openApiDocument } from '../../src/rest/openapi.js';
import { routes } from '../../src/rest/routes.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { documentCompiler, DocumentedReplies } from '../support/documented-replies.js';

// The document has no static type; the tests below check it.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const document: any = JSON.parse(JSON.stringify(openApiDocument('http://slipway.test')));

const compile = documentCompiler(document);

interface Operation {
  operationId: string;
  summary: string;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: object; example: unknown }> };
  responses: Record<string, Response>;
}
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema: object;
  example?: unknown;
}
interface Response {
  $ref?: string;
  description?: string;
  headers?: Record<string, object>;
  content?: Record<string, { schema: object; example: unknown }>;
}
const operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
      `${method} ${path}`,
      path,
      operation,
    ]),
);

/** The part of the document that a reference leads to, or the part itself. */
const resolved = <T extends { $ref?: string }>(part: T): T =>
  part.$ref === undefined
    ? part
    : (part.$ref
        .slice(2)
        .split('/')
        .reduce((at, name) => at?.[name], document) as T);

describe('openapi.json', () => {
  const named = {
    type: 'object',
    required: ['description'],
    properties: { description: { type: 'string', minLength: 1 } },
  };
  const reference = {
    type: 'object',
    required: ['$ref'],
    properties: {
      $ref: { type: 'string', pattern: '^#/components/(responses|headers|parameters|schemas)/[A-Za-z-]+$' },
    },
    additionalProperties: false,
  };
  const either = (schema: object) => ({ if: { required: ['$ref'] }, then: reference, else: schema });
  const media = {
    type: 'object',
    required: ['schema'],
    properties: { schema: { type: 'object' }, example: {} },
    additionalProperties: false,
  };
  const content = {
    type: 'object',
    minProperties: 1,
    patternProperties: { '^[a-z]+/[a-z0-9.+*-]+$': media },
    additionalProperties: false,
  };
  const header = {
    type: 'object',
    required: ['schema'],
    properties: { description: { type: 'string' }, required: { type: 'boolean' }, schema: { type: 'object' } },
    additionalProperties: false,
  };
  const response = {
    ...named,
    properties: { ...named.properties, headers: { type: 'object', additionalProperties: either(header) }, content },
    additionalProperties: false,
  };
  const parameter = {
    type: 'object',
    required: ['name', 'in', 'description', 'schema'],
    properties: {
      name: { type: 'string' },
      in: { enum: ['path', 'query', 'header'] },
      description: { type: 'string' },
      required: { type: 'boolean' },
      style: { const: 'deepObject' },
      explode: { const: true },
      schema: { type: 'object' },
      example: {},
    },
    additionalProperties: false,
  };
  /** The parts of the OpenAPI 3.1 schema that our document could violate. */
  const openApi31 = {
    type: 'object',
    required: ['openapi', 'info', 'paths'],
    additionalProperties: false,
    properties: {
      openapi: { const: '3.1.0' },
      info: { type: 'object', required: ['title', 'version'] },
      servers: { type: 'array', items: { type: 'object', required: ['url'] } },
      security: { type: 'array' },
      tags: { type: 'array', items: { type: 'object', required: ['name'] } },
      paths: {
        type: 'object',
        patternProperties: {
          '^/': {
            type: 'object',
            propertyNames: {
              enum: ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'parameters'],
            },
            additionalProperties: {
              type: 'object',
              required: ['operationId', 'summary', 'description', 'tags', 'security', 'parameters', 'responses'],
              additionalProperties: false,
              properties: {
                operationId: { type: 'string' },
                summary: { type: 'string', pattern: '\\.$' },
                description: { type: 'string', pattern: '\\.$' },
                tags: { type: 'array', items: { type: 'string' } },
                'x-scope': { type: 'string' },
                security: { type: 'array', maxItems: 1, items: { type: 'object' } },
                parameters: { type: 'array', items: either(parameter) },
                requestBody: {
                  type: 'object',
                  required: ['content'],
                  properties: { content, required: { type: 'boolean' } },
                  additionalProperties: false,
                },
                responses: {
                  type: 'object',
                  minProperties: 2,
                  patternProperties: { '^[1-5][0-9][0-9]$': either(response) },
                  additionalProperties: false,
                },
              },
            },
          },
        },
        additionalProperties: false,
      },
      components: {
        type: 'object',
        required: ['schemas', 'parameters', 'responses', 'headers', 'securitySchemes'],
        additionalProperties: false,
        properties: {
          schemas: { type: 'object', additionalProperties: { type: 'object' } },
          parameters: { type: 'object', additionalProperties: parameter },
          securitySchemes: { type: 'object' },
          responses: { type: 'object', additionalProperties: response },
          headers: { type: 'object', additionalProperties: header },
        },
      },
    },
  };

  test('openapi.json is a valid OpenAPI 3.1 document', () => {
    const validate = new Ajv2020({ strict: false }).compile(openApi31);
    expect([validate(document), validate.errors]).toEqual([true, null]);
  });

  test('openapi.json refers only to components that it contains', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
    expect(references.length).toBeGreaterThan(100);
    expect(
      references.filter((path) => path.split('/').reduce((at, name) => at?.[name], document) === undefined),
    ).toEqual([]);
  });

  test('openapi.json gives each route an operation id and describes each path parameter', () => {
    expect(operations.length).toBe(routes.length);
    expect(new Set(operations.map(([, , { operationId }]) => operationId)).size).toBe(operations.length);
    for (const [, path, { parameters }] of operations) {
      const all = parameters.map(resolved);
      const inPath = all.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      expect(new Set(all.map((parameter) => `${parameter.in} ${parameter.name}`)).size).toBe(all.length);
    }
  });

  test.each(operations)('every schema of %s compiles, and its examples are valid', (_name, _path, operation) => {
    const responses = Object.values(operation.responses).map(resolved);
    const contents = [operation.requestBody?.content ?? {}, ...responses.map(({ content: own }) => own ?? {})].flatMap(
      (each) => Object.values(each),
    );
    expect(contents.length).toBeGreaterThan(5);
    for (const { schema, example } of contents) {
      const validate = compile(schema);
      expect([validate(example), validate.errors, example]).toEqual([true, null, example]);
    }
    for (const { schema, example } of operation.parameters.map(resolved))
      if (example !== undefined) expect(compile(schema)(example)).toBe(true);
  });

  test('openapi.json describes request bodies with required fields and without path parameters', () => {
    const of = (name: string) =>
      routes
        .filter((route) => route.operation.name === name)
        .map((route) => bodySchema(route) as { properties: object; required?: string[] })[0];
    expect(of('build.create')?.required).toEqual(['commit', 'branch']);
    expect(Object.keys(of('build.create')?.properties ?? {})).toEqual(
      expect.arrayContaining(['meta_data', 'clean_checkout', 'pull_request_id']),
    );
    expect(of('pipeline.create')?.required).toEqual(['name', 'repository']);
    expect(Object.keys(of('pipeline.update')?.properties ?? {})).toEqual(
      expect.arrayContaining(['pipeline_template_uuid', 'default_command_step_timeout']),
    );
    for (const name of ['organization', 'pipeline', 'archived', 'use_defaults'])
      expect(of('pipeline.update')?.properties).not.toHaveProperty(name);
  });
});

describe('the check of every reply against openapi.json', () => {
  const replies = DocumentedReplies.instance;
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': 'a',
    'x-oauth-scopes': '',
    'x-accepted-oauth-scopes': 'read_user',
    etag: 'W/"a"',
  };
  const user = {
    id: '01900000-0000-7000-8000-000000000001',
    graphql_id: 'x',
    name: 'Ada',
    email: 'a@b.c',
    avatar_url: 'http://slipway.test/a.svg',
    created_at: '2026-01-02T03:04:05.000Z',
  };
  const check =
    (status: number, body: object, changed: object = {}, [method, path] = ['get', '/v2/user']) =>
    () =>
      replies.check(method ?? '', path ?? '', {
        status,
        headers: { ...headers, ...changed },
        text: JSON.stringify(body),
      });

  test('the reply check accepts documented replies', () => {
    expect(check(200, user)).not.toThrow();
    expect(check(404, { message: 'No route matches v2/x' }, {}, ['get', '/v2/x'])).not.toThrow();
    expect(check(405, { message: 'Method Not Allowed' }, { allow: 'GET' }, ['post', '/v2/user'])).not.toThrow();
  });

  test.each<[string, () => void]>([
    ['an unknown field', check(200, { ...user, admin: true })],
    ['a missing field', check(200, { ...user, email: undefined })],
    ['a value of another type', check(200, { ...user, created_at: 'yesterday' })],
    ['an undocumented status', check(418, { message: 'x' })],
    ['a header that is missing', check(200, user, { etag: undefined })],
    ['an error without a request id', check(404, { message: 'Not Found' }, { 'x-request-id': undefined })],
    ['an error with more than its message', check(404, { message: 'Not Found', sql: 'select' })],
    ['a 405 without Allow', check(405, { message: 'Method Not Allowed' }, {}, ['post', '/v2/user'])],
    ['another media type', check(200, user, { 'content-type': 'text/html' })],
  ])('the reply check fails for %s', (_name, checked) => expect(checked).toThrow(/openapi\.json|without/));
});

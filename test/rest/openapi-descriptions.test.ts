import { openApiDocument } from '../../src/rest/openapi.js';

interface DocumentedOperation {
  operationId: string;
  description?: string;
  parameters: { $ref?: string; name?: string; description?: string }[];
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
const document: any = JSON.parse(JSON.stringify(openApiDocument('http://slipway.test')));
const operations = Object.values(document.paths as Record<string, Record<string, DocumentedOperation>>).flatMap(
  (methods) => Object.values(methods),
);

/** Keys whose values are data rather than schema: a property named `properties` inside them needs no description. */
const dataKeys = new Set(['example', 'enum', 'const', 'default']);

/** Walks a part of the document and returns the paths of all properties of schemas, with their descriptions. */
function propertiesIn(part: unknown, path: string): [path: string, description: unknown][] {
  if (typeof part !== 'object' || part === null) return [];
  if (Array.isArray(part)) return part.flatMap((item, index) => propertiesIn(item, `${path}/${index}`));
  return Object.entries(part).flatMap(([key, value]): [string, unknown][] => {
    if (dataKeys.has(key)) return [];
    if (key !== 'properties') return propertiesIn(value, `${path}/${key}`);
    return Object.entries(value as Record<string, { description?: unknown }>).flatMap(([name, schema]) => [
      [`${path}.${name}`, schema.description],
      ...propertiesIn(schema, `${path}.${name}`),
    ]);
  });
}

/** A sentence or a noun phrase that ends in a full stop. */
const isDescription = (text: unknown) => typeof text === 'string' && /^[A-Z`][^]*\.$/.test(text);

describe('descriptions in openapi.json', () => {
  it('openapi.json describes every operation', () => {
    expect(operations.length).toBeGreaterThan(200);
    const missing = operations.filter(({ description }) => !isDescription(description));
    expect(missing.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('openapi.json describes every parameter', () => {
    const missing = operations.flatMap(({ operationId, parameters }) =>
      parameters
        .map((each) => (each.$ref ? document.components.parameters[each.$ref.split('/').at(-1) ?? ''] : each))
        .filter(({ description }) => !isDescription(description))
        .map(({ name }) => `${operationId} ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('openapi.json describes every property of every schema, request body and reply', () => {
    const properties = propertiesIn(document, '');
    expect(properties.length).toBeGreaterThan(1000);
    expect(properties.filter(([, description]) => !isDescription(description)).map(([path]) => path)).toEqual([]);
  });
});

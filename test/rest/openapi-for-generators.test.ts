import { scopes } from '../../src/domain/organizations/scopes.js';
import { requestExamples } from '../../src/rest/openapi/request-examples.js';
import { openApiDocument } from '../../src/rest/openapi.js';
import { routes } from '../../src/rest/routes.js';

type Schema = Record<string, unknown>;
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const document: any = JSON.parse(JSON.stringify(openApiDocument('http://slipway.test')));

/** Keys whose values are data, or names of schemas, rather than schemas. */
const dataKeys = new Set(['example', 'enum', 'default', 'required', 'mapping']);

/** Every schema of the document with its place, those inside others too. */
function* schemasIn(part: unknown, place: string, isSchema: boolean): Generator<[place: string, schema: Schema]> {
  if (typeof part !== 'object' || part === null) return;
  if (Array.isArray(part)) {
    for (const [index, each] of part.entries()) yield* schemasIn(each, `${place}/${index}`, isSchema);
    return;
  }
  if (isSchema) yield [place, part as Schema];
  for (const [key, value] of Object.entries(part)) {
    if (dataKeys.has(key)) continue;
    // A map of names holds schemas, and is none itself.
    if (key === 'properties' || (key === 'schemas' && place === '/components'))
      for (const [name, inner] of Object.entries(value as object))
        yield* schemasIn(inner, `${place}/${key}/${name}`, true);
    else yield* schemasIn(value, `${place}/${key}`, isSchema || key === 'schema');
  }
}

const schemas = [...schemasIn(document, '', false)];
const places = (refused: (schema: Schema, place: string) => boolean) =>
  schemas.filter(([place, schema]) => refused(schema, place)).map(([place]) => place);
const choicesOf = ({ anyOf, oneOf }: Schema) => [anyOf ?? [], oneOf ?? []].flat() as Schema[];

describe('openapi.json for generators of clients', () => {
  it('openapi.json has many schemas, which the rules below are about', () => {
    expect(schemas.length).toBeGreaterThan(1500);
    expect(schemas.some(([place]) => place === '/components/schemas/Job')).toBe(true);
  });

  it('no property of openapi.json is null and nothing else', () => {
    expect(places((schema, place) => schema['type'] === 'null' && !/\/(anyOf|oneOf)\/\d+$/.test(place))).toEqual([]);
  });

  it('no schema of openapi.json has several types, but for null beside one', () => {
    expect(
      places(({ type }) => Array.isArray(type) && (type.length !== 2 || type[1] !== 'null' || type[0] === 'null')),
    ).toEqual([]);
  });

  it('every choice between schemas of openapi.json is between objects told apart by a property, values of different types, or something and null', () => {
    const oneOfs = schemas.filter(([, schema]) => schema['oneOf'] !== undefined);
    expect(oneOfs.map(([place]) => place)).toEqual(['/components/schemas/Job', '/components/schemas/Step']);
    for (const [, { oneOf, discriminator }] of oneOfs) {
      const { propertyName, mapping } = discriminator as { propertyName: string; mapping: Record<string, string> };
      expect(Object.values(mapping).map(($ref) => ({ $ref }))).toEqual(oneOf);
      for (const [value, $ref] of Object.entries(mapping)) {
        const member = document.components.schemas[$ref.split('/').at(-1) ?? ''];
        expect(member.properties[propertyName].enum).toEqual([value]);
        expect(member.required).toContain(propertyName);
      }
    }
    expect(
      places(({ anyOf }) => {
        if (anyOf === undefined) return false;
        const kinds = (anyOf as Schema[]).map(({ type, $ref }) => type ?? $ref);
        return (
          kinds.includes(undefined) || new Set(kinds).size !== kinds.length || kinds.flat().length !== kinds.length
        );
      }),
    ).toEqual([]);
  });

  it('no enum of openapi.json contains null, and none is without a type', () => {
    expect(
      places((schema) => Array.isArray(schema['enum']) && (schema['enum'].includes(null) || !schema['type'])),
    ).toEqual([]);
  });

  it('openapi.json uses no keyword that generators read in different ways', () => {
    const refused = ['const', 'not', 'if', 'allOf', 'propertyNames', 'prefixItems', 'patternProperties', '$defs'];
    expect(places((schema) => refused.some((keyword) => keyword in schema))).toEqual([]);
    expect(places(({ exclusiveMinimum, exclusiveMaximum }) => Boolean(exclusiveMinimum ?? exclusiveMaximum))).toEqual(
      [],
    );
    // Classes of Unicode characters are written differently in each language.
    expect(places(({ pattern }) => typeof pattern === 'string' && /\\[pu]/.test(pattern))).toEqual([]);
  });

  it('replies in openapi.json may get new fields', () => {
    expect(places(({ additionalProperties }) => additionalProperties === false)).toEqual([]);
  });

  it('objects of openapi.json require only properties that they have', () => {
    expect(
      places(({ required, properties }) =>
        (Array.isArray(required) ? (required as string[]) : []).some(
          (name) => !(name in ((properties ?? {}) as object)),
        ),
      ),
    ).toEqual([]);
  });

  it('whole numbers of openapi.json that 32 bits cannot hold say so', () => {
    expect(
      places(({ type, maximum, format }) => type === 'integer' && Number(maximum) > 2 ** 31 && format !== 'int64'),
    ).toEqual([]);
    expect(document.components.schemas.Artifact.properties.file_size).toMatchObject({ format: 'int64' });
  });

  it('no choice of openapi.json is between one schema and itself', () => {
    expect(
      places((schema) => {
        const members = choicesOf(schema).map((member) => JSON.stringify(member));
        return new Set(members).size !== members.length || (members.length > 0 && members.length < 2);
      }),
    ).toEqual([]);
  });

  it('openapi.json names each request body, path parameter, page parameter, reply and header once', () => {
    const operations = Object.values(document.paths as Record<string, Record<string, Schema>>).flatMap((methods) =>
      Object.values(methods),
    ) as { parameters: Schema[]; requestBody?: { content: Record<string, { schema: Schema }> }; responses: object }[];
    const inline = operations.flatMap(({ parameters, requestBody }) => [
      ...parameters.filter((parameter) => 'name' in parameter && parameter['in'] !== 'query'),
      ...Object.values(requestBody?.content ?? {}).filter(({ schema }) => !('$ref' in schema)),
    ]);
    expect(inline).toEqual([]);
    const names = ['parameters', 'responses', 'schemas'].flatMap((kind) => Object.keys(document.components[kind]));
    // Some generators put types of all kinds into one namespace.
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('openapi.json declares every scope, and each operation the one that it requires', () => {
    const { scopes: scheme, token } = document.components.securitySchemes;
    expect(token).toMatchObject({ type: 'http', scheme: 'bearer' });
    expect(scheme.type).toBe('oauth2');
    expect(Object.keys(scheme.flows.implicit.scopes)).toEqual([...scopes]);
    for (const route of routes) {
      const { security } = document.paths[`/v2${route.path}`][route.method];
      const { access, scope } = route.operation;
      expect(security).toEqual(
        access === 'anyone' ? [] : [scope === null ? { token: [] } : { scopes: [scope], token: [] }],
      );
    }
  });

  it('every operation with a body has an example of its own', () => {
    const without = routes.filter(({ takesBody, operation }) => takesBody && !requestExamples[operation.name]);
    expect(without.map(({ operation }) => operation.name)).toEqual([]);
    const names = new Set(routes.filter(({ takesBody }) => takesBody).map(({ operation }) => operation.name));
    expect(Object.keys(requestExamples).filter((name) => !names.has(name))).toEqual([]);
  });
});

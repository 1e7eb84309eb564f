import { openApiDocument } from '../../src/rest/openapi.js';
import { describeWithVectors, readVectors } from '../support/vectors.js';

// Schemas and recorded replies have no static type; the tests check them.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

interface Recorded {
  id: string;
  recorded_at: string;
  method: string;
  path: string;
  status: number;
  response_json: Json;
}
interface Documented {
  id: string;
  requests: { host: string; method: string; path: string | null }[];
  responses: { json?: Json }[];
}

const document: Json = JSON.parse(JSON.stringify(openApiDocument('http://slipway.test')));
const templates = Object.keys(document.paths).map((template): [string, RegExp] => [
  template,
  new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`),
]);

/** The schema of a reply in openapi.json, which every other REST test is checked against. */
function ourSchema(method: string, path: string): Json {
  const template = templates.find(([, pattern]) => pattern.test(path.split('?', 1)[0] ?? ''))?.[0];
  const responses = template === undefined ? undefined : document.paths[template][method.toLowerCase()]?.responses;
  const { $ref, ...inline } = responses?.['200'] ?? responses?.['201'] ?? {};
  const success = $ref ? document.components.responses[$ref.split('/').at(-1)] : inline;
  return success?.content?.['application/json']?.schema;
}

const resolved = (schema: Json): Json =>
  schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;
const kindOf = (value: Json) =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : typeof value === 'number'
        ? Number.isInteger(value)
          ? 'integer'
          : 'number'
        : typeof value;

/** Places where a recorded value has a key that our schema lacks, or another type. Null fits every type. */
function differences(recorded: Json, given: Json, at = ''): string[] {
  const schema = resolved(given);
  const members = schema.oneOf ?? schema.anyOf;
  if (members) {
    const found = members.map((member: Json) => differences(recorded, member, at)) as string[][];
    return found.sort((a, b) => a.length - b.length)[0] ?? [];
  }
  if (
    schema.properties?.type?.enum &&
    recorded?.type !== undefined &&
    !schema.properties.type.enum.includes(recorded.type)
  )
    return Array.from({ length: 99 }, () => `${at}.type`);
  if (recorded === null || schema.type === undefined) return [];
  if (![schema.type].flat().includes(kindOf(recorded))) return [`${at} is ${kindOf(recorded)}`];
  if (Array.isArray(recorded)) return recorded.flatMap((item) => differences(item, schema.items ?? {}, `${at}[]`));
  if (typeof recorded !== 'object') return [];
  return Object.entries(recorded).flatMap(([key, value]) => {
    const inner =
      schema.properties?.[key] ??
      (typeof schema.additionalProperties === 'object'
        ? schema.additionalProperties
        : schema.properties
          ? undefined
          : {});
    return inner === undefined ? [`${at}.${key} is not there`] : differences(value, inner, `${at}.${key}`);
  });
}

const unique = (list: string[]) => [...new Set(list)].sort();

/** Only recordings of these years show the service as it is (INDEX of the vectors). */
const strictFrom = Date.parse('2022-01-01');

describeWithVectors('replies recorded from the real service', () => {
  const { cases } = readVectors<{ cases: Recorded[] }>('rest/cassettes.json');
  const comparable = cases.filter(
    (each) =>
      Date.parse(each.recorded_at) >= strictFrom &&
      typeof each.response_json === 'object' &&
      each.response_json !== null &&
      ourSchema(each.method, each.path),
  );

  test('there are recordings to compare', () => {
    expect(comparable.length).toBeGreaterThan(5);
  });

  test.each(
    comparable.map((each): [string, Recorded] => [`${each.id} ${each.method} ${each.path.slice(0, 90)}`, each]),
  )(
    'our reply to %s has every recorded key, with values of the recorded types',
    (_name, { method, path, response_json: recorded }) => {
      expect(unique(differences(recorded, ourSchema(method, path)))).toEqual([]);
    },
  );
});

describeWithVectors('documented replies', () => {
  /** Examples that do not show the reply to their request. */
  const otherwise: Readonly<Record<string, string>> = {
    'doc-022': 'a trigger job of the build, beside it',
    'doc-091': 'a service of another provider',
    'doc-098': 'settings of a cloud, of which this service has one',
    'doc-099': 'settings of a cloud, of which this service has one',
    'doc-107': 'points of GraphQL, of which each reply of GraphQL tells',
    'doc-108': 'connections of apps of the service and of GitLab, where ours have a token of GitHub',
    'doc-109': 'a connection of an app of the service',
  };
  /** Fields of examples that none of our replies has. */
  const leftOut: Readonly<Record<string, string>> = {
    is_default_team: 'the name of `default` in requests',
    script_path: 'the name of `command` before it had this one',
    hosted: 'agents in the cloud of the service',
    hosted_agents: 'agents in the cloud of the service',
  };
  const isLeftOut = (difference: string) => (/\.(\w+) is not there$/.exec(difference)?.[1] ?? '') in leftOut;
  const { cases } = readVectors<{ cases: Documented[] }>('rest/docs.json');
  const pairs = cases
    .filter(({ id }) => !(id in otherwise))
    .flatMap(({ id, requests, responses }) => {
      const request = requests.find(({ host, path }) => host === 'api' && path !== null);
      const schema = request && ourSchema(request.method, String(request.path));
      return schema
        ? responses.flatMap(({ json }): [string, Json, Json][] =>
            typeof json === 'object' && json !== null && !('message' in json)
              ? [[`${id} ${request.method} ${request.path}`, json, schema]]
              : [],
          )
        : [];
    });

  test.each(pairs)(
    'our reply to %s has every documented key, with values of the documented types',
    (_name, json, schema) => expect(unique(differences(json, schema)).filter((each) => !isLeftOut(each))).toEqual([]),
  );
});

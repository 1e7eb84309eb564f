import type { Json, JsonObject } from '../../domain/pipelines/steps/step.js';
import { exampleId } from './request-examples.js';
import { type SchemaName, schemas } from './schemas.js';

const api = 'http://127.0.0.1:3000/v2/organizations/demo';

/** Example values of fields; if a schema refuses one, the example is a value of the schema's type. */
const values: Readonly<Record<string, Json>> = {
  graphql_id: 'UGlwZWxpbmUtLS0wMTkwMDAwMC0wMDAwLTcwMDAtODAwMC0wMDAwMDAwMDAwMDE=',
  url: `${api}/pipelines/hello`,
  web_url: 'http://127.0.0.1:3000/demo/hello',
  name: 'Hello',
  slug: 'hello',
  description: 'Says hello',
  message: 'Say hello',
  commit: '8b3f1c2d4e5f60718293a4b5c6d7e8f901234567',
  commit_sha: '8b3f1c2d4e5f60718293a4b5c6d7e8f901234567',
  branch: 'main',
  default_branch: 'main',
  repository: 'https://git.example.com/demo/hello.git',
  configuration: 'steps:\n  - command: make\n',
  command: 'make',
  email: 'ada@example.com',
  avatar_url: 'http://127.0.0.1:3000/avatars/0cc175b9c0f1b6a831c399e269772661.svg',
  key: 'default',
  context: 'coverage',
  body: '**12** tests passed',
  body_html: '<p><strong>12</strong> tests passed</p>',
  number: 42,
  page: 1,
  color: '#1a2b3c',
  emoji: ':rocket:',
  tags: ['web'],
  agent_query_rules: ['queue=default'],
  exit_status: 0,
  step_key: 'make',
  label: 'make',
  hostname: 'worker-1',
  ip_address: '192.0.2.10',
  version: '3.104.0',
  user_agent: 'agent/3.104.0',
  content: '$ make\nok\n',
  size: 10,
  header_times: [1767323045000000000],
  env: { CI: 'true' },
  meta_data: { release: 'v1' },
  scopes: ['read_builds'],
  message_text: 'Hello',
  field: 'name',
  code: 'missing',
  cluster_id: exampleId,
  fields: { version: '1.2' },
  author: { name: 'Ada', email: 'ada@example.com' },
  steps: [
    {
      type: 'script',
      name: 'make',
      command: 'make',
      artifact_paths: null,
      branch_configuration: null,
      env: {},
      timeout_in_minutes: null,
      agent_query_rules: [],
      concurrency: null,
      parallelism: null,
    },
  ],
  priority: { number: 0 },
  state: 'passed',
  provider_settings: { trigger_mode: 'code' },
};

/**
 * Returns an example of a schema: every required field, and the optional fields with plain values. Equal schemas give
 * equal examples; a test validates each example against its schema.
 */
export function exampleOf(schema: Json, name = '', depth = 0): Json {
  const { $ref, type, ...rest } = schema as JsonObject;
  if (typeof $ref === 'string')
    return exampleOf(schemas[$ref.replace('#/components/schemas/', '') as SchemaName] as Json, name, depth);
  const members = (rest['oneOf'] ?? rest['anyOf']) as Json[] | undefined;
  if (members) return exampleOf(depth > 5 ? (members.at(-1) ?? {}) : (members[0] ?? {}), name, depth);
  if (Array.isArray(rest['allOf']))
    return Object.assign({}, ...rest['allOf'].map((member) => exampleOf(member, name, depth))) as Json;
  if ('const' in rest) return rest['const'] ?? null;
  if (Array.isArray(rest['enum'])) return rest['enum'][0] ?? null;
  const kinds = [type].flat() as string[];
  const known = values[name];
  if (known !== undefined && kinds.includes(kindOf(known)) && fits(known, rest)) return known;
  switch (kinds[0]) {
    case 'object':
      return exampleObject(rest, depth);
    case 'array':
      return depth > 5 ? [] : [exampleOf(rest['items'] ?? {}, name.replace(/s$/, ''), depth + 1)];
    case 'string':
      return exampleText(rest, name);
    case 'integer':
    case 'number':
      return Math.max(Number(rest['minimum'] ?? 1), 1);
    case 'boolean':
      return false;
    default:
      return null;
  }
}

/** Whether a value has nothing that its schema says more of, and the members that the schema requires of a list. */
function fits(value: Json, schema: JsonObject): boolean {
  if (schema['properties'] || schema['format']) return false;
  const required = ((schema['items'] as JsonObject | undefined)?.['required'] ?? []) as string[];
  return !Array.isArray(value) || required.every((name) => value.every((item) => name in (item as JsonObject)));
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? 'integer' : typeof value;
}

function exampleObject(schema: JsonObject, depth: number): Json {
  const properties = (schema['properties'] ?? {}) as Record<string, Json>;
  const required = (schema['required'] ?? []) as string[];
  const shown = Object.entries(properties).filter(([name]) => required.includes(name) || (name in values && depth < 2));
  return Object.fromEntries(shown.map(([name, inner]) => [name, exampleOf(inner, name, depth + 1)]));
}

function exampleText({ format }: JsonObject, name: string): string {
  if (format === 'uuid') return exampleId;
  if (format === 'uri')
    return typeof values[name] === 'string' && name.endsWith('url')
      ? values[name]
      : `${api}/${name.replace(/_?url$/, '')}`;
  if (format === 'date-time') return '2026-01-02T03:04:05.000Z';
  return name === '' ? 'text' : name.replaceAll('_', ' ');
}

import { getNamedType, isLeafType, type GraphQLField, type GraphQLObjectType, type GraphQLSchema } from 'graphql';
import { encodeNodeId } from '../../../src/domain/node-id.js';
import type { Scope } from '../../../src/domain/organizations/scopes.js';
import { scopeOfField } from '../../../src/graphql/execution/on-the-way.js';
import { buildSchema } from '../../../src/graphql/server/schema.js';
import { yaml } from '../../parity/writes/changes.js';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import { oneOfEverything } from '../../support/one-of-everything.js';
import type { Person } from '../../support/world.js';

/** An object on the way: the field that finds it, its scope, and a field that the scope guards. */
interface Way {
  find: string;
  scope: Scope;
  guarded: string;
}
let ways: Record<string, Way>;
let values: Record<string, string>;
let surfaces: BothSurfaces;
let schema: GraphQLSchema;
const tokens = new Map<string, Person>();

beforeAll(async () => {
  surfaces = await BothSurfaces.open({ plan: 'enterprise' });
  values = (await oneOfEverything(surfaces.world, yaml))('');
  schema = await buildSchema();
  const node = (kind: 'Job' | 'Cluster' | 'User', type: string, id: string | undefined) =>
    `node(id: "${encodeNodeId(kind, id ?? '')}") { ... on ${type}`;
  ways = {
    Organization: { find: 'organization(slug: "acme") {', scope: 'read_organizations', guarded: 'name' },
    Pipeline: { find: 'pipeline(slug: "acme/app") {', scope: 'read_pipelines', guarded: 'repository { url }' },
    Build: { find: `build(slug: "acme/app/${values['number']}") {`, scope: 'read_builds', guarded: 'message' },
    JobTypeCommand: {
      find: `job(uuid: "${values['job']}") { ... on JobTypeCommand`,
      scope: 'read_builds',
      guarded: 'command',
    },
    Cluster: { find: node('Cluster', 'Cluster', values['cluster']), scope: 'read_clusters', guarded: 'name' },
    Suite: { find: 'suite(slug: "acme/rspec") {', scope: 'read_suites', guarded: 'name' },
    Agent: { find: `agent(slug: "acme/${values['agent']}") {`, scope: 'read_agents', guarded: 'name' },
    User: { find: 'viewer { user', scope: 'read_user', guarded: 'email' },
  };
}, 60_000);
afterAll(() => surfaces.close());

async function ask(query: string, ...scopes: Scope[]): Promise<{ data: Data; refusals: string[] }> {
  const { id, email } = surfaces.world.admin;
  const name = scopes.join(' ');
  const person = tokens.get(name) ?? (await surfaces.world.personWithToken(id, email, { scopes }));
  tokens.set(name, person);
  const { data, errors = [] } = await surfaces.graphql([query], person);
  return { data, refusals: errors.map(({ extensions }) => extensions.scope ?? extensions.code) };
}

const ids: Readonly<Record<string, string>> = {
  Cluster: 'cluster',
  ProviderAccess: 'connection',
};
/** A selection of a field, with the arguments that it requires. */
function selectionOf(field: GraphQLField<unknown, unknown>): string {
  const type = getNamedType(field.type);
  const argumentsOf: Readonly<Record<string, string | string[] | undefined>> = {
    yaml: 'steps: []',
    cronline: '@daily',
    text: 'a',
    identifier: 'a',
    paths: ['a'],
    id: values[ids[type.name] ?? ''],
    uuid: values[ids[type.name] ?? ''],
  };
  const given = field.args
    .filter(({ type: each, defaultValue }) => String(each).endsWith('!') && defaultValue === undefined)
    .map(({ name }) => `${name}: ${JSON.stringify(argumentsOf[name])}`);
  const inner = isLeafType(type) ? '' : ' { __typename }';
  return `${field.name}${given.length > 0 ? `(${given.join(', ')})` : ''}${inner}`;
}
/** A query of fields of an object on the way. */
const query = ({ find }: Way, selection: string) =>
  find.endsWith('{') ? `{ ${find} ${selection} } }` : `{ ${find} { ${selection} } } }`;
/** Fields of an object whose scope is not that of the object. */
const passed = ({ scope }: Way, type: GraphQLObjectType) =>
  Object.values(type.getFields()).filter((field) => ![undefined, scope].includes(scopeOfField(field) as Scope));

const objectTypes = () =>
  Object.values(schema.getTypeMap()).filter((type): type is GraphQLObjectType => 'getInterfaces' in type);

test('every type with fields of another scope has its way here', () => {
  const withScopes = objectTypes().filter((type) =>
    Object.values(type.getFields()).some((field) => scopeOfField(field) !== undefined),
  );
  expect(withScopes.map(({ name }) => name).sort()).toEqual(Object.keys(ways).sort());
});

test('a token reads every field that its one scope allows, below an object whose own scope it lacks', async () => {
  let fields = 0;
  for (const [name, way] of Object.entries(ways))
    for (const field of passed(way, schema.getType(name) as GraphQLObjectType)) {
      const scope = scopeOfField(field) ?? 'read_test_plan';
      const { refusals } = await ask(query(way, `id ${selectionOf(field)}`), scope);
      expect([name, field.name, refusals]).toEqual([name, field.name, []]);
      fields += 1;
    }
  expect(fields).toBeGreaterThan(30);
});

test('a token with the scope of an object alone is refused its fields that have another scope', async () => {
  for (const [name, way] of Object.entries(ways))
    for (const field of passed(way, schema.getType(name) as GraphQLObjectType)) {
      const scope = scopeOfField(field);
      if (scope === null) continue;
      const { refusals } = await ask(query(way, `id ${selectionOf(field)}`), way.scope);
      // These two are null for viewers who may not see them.
      if (['allowedApiIpAddresses', 'revokeInactiveTokensAfter'].includes(field.name)) continue;
      expect([name, field.name, refusals]).toEqual([name, field.name, [scope]]);
    }
});

test('an object on the way shows nothing that its own scope guards', async () => {
  for (const [name, way] of Object.entries(ways)) {
    const [field] = passed(way, schema.getType(name) as GraphQLObjectType);
    if (!field) throw new Error(`no field of ${name}`);
    const scope = scopeOfField(field) ?? 'read_test_plan';
    for (const selection of [
      `${way.guarded} ${selectionOf(field)}`,
      `${selectionOf(field)} ... { ${way.guarded} }`,
      // Identifiers alone are on the way to nothing.
      'id',
      '__typename',
    ]) {
      const { data, refusals } = await ask(query(way, selection), scope);
      const [found] = Object.values(data as object) as Data[];
      expect([name, selection, refusals, name === 'User' ? found.user : found]).toEqual([
        name,
        selection,
        [way.scope],
        null,
      ]);
    }
  }
});

test('a hidden object on the way is answered as an absent one', async () => {
  const { world } = surfaces;
  const stranger = await world.personWithToken(world.outsider.id, world.outsider.email, { scopes: ['read_builds'] });
  for (const [name, way] of Object.entries(ways)) {
    if (name === 'User') continue;
    for (const field of passed(way, schema.getType(name) as GraphQLObjectType)) {
      const { data, errors = [] } = await surfaces.graphql([query(way, selectionOf(field))], stranger);
      const held = way.scope === 'read_builds' || [null, 'read_builds'].includes(scopeOfField(field) as Scope | null);
      expect([
        name,
        field.name,
        Object.values(data as object),
        errors.map(({ extensions }) => extensions.scope),
      ]).toEqual([name, field.name, [null], held ? [] : [way.scope]]);
    }
  }
});

test('what passes without its scope in one field lends nothing to the other fields of the request', async () => {
  const { data, refusals } = await ask(
    '{ way: pipeline(slug: "acme/app") { builds { count } } other: pipeline(slug: "acme/app") { name permissions { pipelineUpdate { allowed } } } }',
    'read_builds',
  );
  expect(data).toEqual({ way: { builds: { count: 1 } }, other: null });
  expect(refusals).toEqual(['read_pipelines']);
});

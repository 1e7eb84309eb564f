import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { buildSchema as parseSchema, type GraphQLSchema, parse } from 'graphql';
import { buildSchema } from '../../../src/graphql/server/schema.js';
import { differencesFor, readClient } from './client-copies.js';
import { describeUnless } from '../../support/skips.js';

const folder = resolve(process.env['CLIENT_SOURCES'] ?? '../shared/clients');
const clients = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
const reason = clients.length > 0 ? null : 'CLIENT_SOURCES names no folder with their sources';

/** Differences that no client meets, each with the reason. */
const harmless: readonly [difference: RegExp, reason: string][] = [
  [/^Query\.node can be a \w+$/, 'the ID that a client sends decides which type it gets'],
  [
    /^JobEventEdge\.node can be a JobEvent(?:Changed|PromisedExitStatus)$/,
    'newer in the public schema than some copies',
  ],
  [/^HostedAgentInstanceShapeName\.\w+ is missing$/, 'no shape of hosted agents is accepted: agents run elsewhere'],
  [/^Cannot query field "registry" on type "Query"\.$/, 'docs/graphql.md says that packages are not here'],
];

describeUnless(reason, "clients' own copies of the schema", () => {
  let schema: GraphQLSchema;
  beforeAll(async () => void (schema = await buildSchema()));

  test.each(clients.map((path) => [basename(path), path]))(
    'every document of %s gets from our schema what its copy of the schema promises',
    (_, path) => {
      const client = readClient(path);
      expect(client.documents.length).toBeGreaterThan(0);
      const found = client.documents.flatMap(({ name, document }) =>
        differencesFor(client, schema, document).map((difference) => `${name}: ${difference}`),
      );
      expect(
        found.filter((each) => !harmless.some(([known]) => known.test(each.slice(each.indexOf(': ') + 2)))),
      ).toEqual([]);
    },
  );
});

describe('documents for two schemas', () => {
  test('a difference is found in names, nullability, lists, types of unions, and what inputs require', () => {
    const copy = parseSchema(`
      type Query { thing(in: In): Thing! old: Int }
      type Thing { name: String! tags: [String!]! any: Any }
      union Any = A
      type A { a: Int }
      enum Word { ONE TWO }
      input In { a: Int b: Inner }
      input Inner { word: Word c: Int }`);
    const ours = parseSchema(`
      type Query { thing(in: In): Thing! }
      type Thing { name: String tags: [String]! any: Any }
      union Any = A | B
      type A { a: Int }
      type B { b: Int }
      enum Word { ONE }
      input In { a: Int! b: Inner d: Int! }
      input Inner { word: Word }`);
    const client = { name: 'x', schema: copy, documents: [] };
    const document = parse('query ($in: In) { thing(in: $in) { name tags any { __typename } } old }');
    expect(differencesFor(client, ours, document).sort()).toEqual([
      'Cannot query field "old" on type "Query".',
      'In.a is Int! and not Int',
      'In.d is required',
      'Inner.c is missing',
      'Thing.any can be a B',
      'Thing.name is String and not String!',
      'Thing.tags is [String]! and not [String!]!',
      'Word.TWO is missing',
    ]);
    expect(differencesFor(client, copy, document)).toEqual([]);
  });
});

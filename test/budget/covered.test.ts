import { readFileSync } from 'node:fs';
import { ArrayType, JsonType, StringType, TextType } from '@mikro-orm/core';
import { getNamedType, isInterfaceType, isObjectType, parse, validate } from 'graphql';
import { entities } from '../../src/entities/registry.js';
import { covered, kinds, notFilled } from './covered.js';
import { connectionsElsewhere, graphqlReads, heavyReads, nodes, nodesElsewhere, schema } from './reads-of-graphql.js';
import { knownNames, parametersOf, restPaths, valueOf } from './reads-of-rest.js';

/** Names of the columns of a table that hold texts, lists or JSON: what may be large. */
const largeColumns = (properties: object): string[] =>
  Object.entries(properties as Record<string, { type: unknown }>).flatMap(([name, { type }]) =>
    type === TextType || type === StringType || type === JsonType || type instanceof ArrayType ? [name] : [],
  );

const subjects = new Set(graphqlReads.map(({ subject }) => subject));

describe('what the test of budgets fills and reads', () => {
  test('every table is filled by one of the fillers, or is listed with the reason why it cannot be', () => {
    const tables = entities.map(({ meta }) => meta.tableName);
    expect([...Object.keys(covered), ...Object.keys(notFilled)].sort()).toEqual([...tables].sort());
    expect(Object.values(covered).filter(({ by }) => !kinds.includes(by))).toEqual([]);
  });

  test('every column that may be large is filled, or is listed as short', () => {
    const columns = entities.flatMap(({ meta }) =>
      meta.tableName in covered ? largeColumns(meta.properties).map((name) => `${meta.tableName}.${name}`) : [],
    );
    const listed = Object.entries(covered).flatMap(([table, { filled, short }]) =>
      [...filled, ...short].map((name) => `${table}.${name}`),
    );
    expect(listed.sort()).toEqual(columns.sort());
  });

  test('every parameter in a path that is read has a value from a filler', () => {
    const known = Object.fromEntries(knownNames.map((name) => [name, name]));
    const without = restPaths.flatMap((path) =>
      parametersOf(path)
        .filter((name) => valueOf(known, path, name) === undefined)
        .map((name) => `${name} of ${path}`),
    );
    expect(without).toEqual([]);
    const sources = ['organization', 'pipelines', 'builds', 'suites'].map((name) =>
      readFileSync(`test/budget/fill/${name}.ts`, 'utf8'),
    );
    const text = sources.join('\n');
    expect(knownNames.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
  });

  test('every type with a node id is read by its id or in the list of another', () => {
    const node = schema.getType('Node');
    const types = isInterfaceType(node) ? schema.getPossibleTypes(node).map(({ name }) => name) : [];
    const elsewhere = types.filter((name) => !(name in nodes));
    expect(Object.keys(nodesElsewhere).sort()).toEqual(elsewhere.sort());
    const places = new Set(Object.values(nodesElsewhere).flatMap((text) => text.split(' and ')));
    expect([...places].filter((place) => !subjects.has(place))).toEqual([]);
  });

  test('every list of the schema is read below one of these types, or is listed with where it is read', () => {
    const lists = Object.values(schema.getTypeMap()).flatMap((type) =>
      isObjectType(type)
        ? Object.values(type.getFields())
            .filter((field) => getNamedType(field.type).name.endsWith('Connection'))
            .map((field) => `${type.name}.${field.name}`)
        : [],
    );
    expect(lists.filter((list) => !subjects.has(list)).sort()).toEqual(Object.keys(connectionsElsewhere).sort());
  });

  test('every operation that is sent is valid for the schema', () => {
    const known = { build: 'x', parallel: 'x' };
    const documents = [...graphqlReads.map(({ document }) => document(25)), ...heavyReads(known)];
    const invalid = documents.flatMap((text) => {
      const [problem] = validate(schema, parse(text));
      return problem ? [`${problem.message} in ${text.slice(0, 200)}`] : [];
    });
    expect(invalid).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { isScalarType, isSpecifiedScalarType } from 'graphql';
import { buildSchema } from '../../../src/graphql/server/schema.js';

/** Configurations of generators in the examples and in the documentation. */
const configurations = [
  'examples/relay.config.json',
  'examples/client/graphql-codegen/codegen.json',
  'examples/client/graphql-codegen-client-preset/codegen.json',
  'examples/client/relay-compiler/relay.config.json',
  'examples/client/genqlient/genqlient.yaml',
];

test('every scalar of the schema has a type in the documentation and in the configurations of generators', async () => {
  const schema = await buildSchema();
  const names = Object.values(schema.getTypeMap())
    .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
    .map(({ name }) => name);
  expect(names.length).toBeGreaterThan(6);
  const missing = configurations.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return names.filter((name) => !new RegExp(`\\b${name}"?: `).test(text)).map((name) => `${file}: ${name}`);
  });
  expect(missing).toEqual([]);
  const documentation = readFileSync('docs/graphql.md', 'utf8');
  const inTable = (name: string) => new RegExp(`^\\| .*\`${name}\``, 'm').test(documentation);
  const inSample = (name: string) => documentation.includes(`"${name}": `);
  expect(names.filter((name) => !inTable(name) || !inSample(name))).toEqual([]);
});

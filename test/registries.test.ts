import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { resolvers } from '../src/graphql/resolvers.js';

const read = (path: string) => readFileSync(path, 'utf8');

/**
 * The lists of resolvers and tables are written by hand, because the bundler of the program needs static imports, and a
 * generator would be one more step before a type check. These tests find what a list lacks.
 */
describe('lists of what is in folders', () => {
  test('every class with resolvers is in the list that the schema is built of', () => {
    const sources = globSync('src/graphql/**/*.ts').map(read);
    const decorated = sources.flatMap((source) => source.match(/^ *@Resolver\(/gm) ?? []);
    const classes = sources.flatMap((source) =>
      [...source.matchAll(/^ *@Resolver\([^;{]*?\)\s+(?:export )?class (\w+)/gm)].map(([, name = '']) => name),
    );
    expect(classes.length).toBe(decorated.length);
    const listed = new Set(resolvers.map(({ name }) => name));
    expect(classes.filter((name) => !listed.has(name))).toEqual([]);
  });

  test('every table is in the list that migrations, the database and its tests are built of', () => {
    const [, list = ''] = read('src/entities/registry.ts').split('export const entities');
    const tables = globSync('src/entities/**/*.ts').flatMap((path) =>
      [...read(path).matchAll(/^export const (\w+) = defineEntity\(/gm)].map(([, name = '']) => name),
    );
    expect(tables.length).toBe(
      globSync('src/entities/**/*.ts').map(read).join('\n').split('= defineEntity(').length - 1,
    );
    expect(tables.length).toBeGreaterThan(50);
    expect(tables.filter((name) => !new RegExp(`^  ${name},$`, 'm').test(list))).toEqual([]);
  });
});

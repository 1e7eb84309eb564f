import { readdirSync, readFileSync } from 'node:fs';
import { scopes } from '../src/domain/scopes.js';
import { operations } from '../src/operations/registry.js';

describe('every operation', () => {
  test('is in the registry, under one name of its own', () => {
    const declared = (readdirSync('src/operations', { recursive: true }) as string[])
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => [...readFileSync(`src/operations/${name}`, 'utf8').matchAll(/= defineOperation\(\{\s*name: '([^']+)'/g)].map((match) => match[1]!));
    expect([...operations.map((operation) => operation.name)].sort()).toEqual([...declared].sort());
    expect(new Set(declared).size).toBe(declared.length);
  });

  test('is named noun.verb and says what it does in a sentence', () => {
    const strange = operations.filter(({ name, summary }) => !/^[a-z]+(-[a-z]+)*(\.[a-z]+(-[a-z]+)*){1,2}$/.test(name) || !/^[A-Z].*\.$/.test(summary));
    expect(strange.map((operation) => operation.name)).toEqual([]);
  });

  test('has a scope, or is one of the few that any caller of its door may do', () => {
    const known = new Set<string>(scopes);
    const open = operations.filter(({ scope, access }) => scope === null && access !== 'internal').map((operation) => operation.name);
    expect(open.sort()).toEqual(['access-token.get', 'access-token.revoke', 'emoji.list', 'meta.get']);
    expect(operations.filter(({ scope }) => scope !== null && !known.has(scope))).toEqual([]);
  });

  test('that changes more than the caller\'s own view is audited', () => {
    expect(operations.filter(({ kind, access, audited }) => kind === 'command' && access !== 'internal' && !audited).map((operation) => operation.name)).toEqual(['pipeline.favorite']);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { scopes } from '../src/domain/organizations/scopes.js';
import { operations } from './support/operations.js';

describe('the registry of operations', () => {
  test('every operation is registered under a unique name', () => {
    const declared = (readdirSync('src/operations', { recursive: true }) as string[])
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) =>
        [...readFileSync(`src/operations/${name}`, 'utf8').matchAll(/= defineOperation\(\{\s*name: '([^']+)'/g)].map(
          (match) => match[1]!,
        ),
      );
    expect([...operations.map((operation) => operation.name)].sort()).toEqual([...declared].sort());
    expect(new Set(declared).size).toBe(declared.length);
  });

  test('every operation is named noun.verb and has a description of one sentence', () => {
    const strange = operations.filter(
      ({ name, summary }) => !/^[a-z]+(-[a-z]+)*(\.[a-z]+(-[a-z]+)*){1,2}$/.test(name) || !/^[A-Z].*\.$/.test(summary),
    );
    expect(strange.map((operation) => operation.name)).toEqual([]);
  });

  test('every operation has a scope, or is listed as open to any caller of its surface', () => {
    const known = new Set<string>(scopes);
    const open = operations
      .filter(({ scope, access }) => scope === null && access !== 'internal')
      .map((operation) => operation.name);
    expect(open.sort()).toEqual([
      'access-token.create-own',
      'access-token.get',
      'access-token.list-organizations',
      'access-token.list-own',
      'access-token.revoke',
      'access-token.revoke-own',
      'emoji.list',
      'meta.get',
      'oauth-device.approve',
      'oauth-device.deny',
      'oauth-device.find',
      'oauth-grant.approve',
      'oidc-key.list',
      'session.get',
      'session.list',
      'session.revoke',
      'session.revoke-all',
      'user.change-build-mail',
      'user.change-password',
    ]);
    expect(operations.filter(({ scope }) => scope !== null && !known.has(scope))).toEqual([]);
  });

  test("every operation that changes more than the caller's own view is audited", () => {
    expect(
      operations
        .filter(({ kind, access, audited }) => kind === 'command' && access !== 'internal' && !audited)
        .map((operation) => operation.name),
      // Plans of tests are asked for by every parallel job of every build.
    ).toEqual(['pipeline.favorite', 'test-plan.create', 'test-plan.report']);
  });
});

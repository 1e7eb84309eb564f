import { readFileSync } from 'node:fs';
import { routes } from '../../src/rest/routes.js';
import { describeWithVectors, readVectors } from '../support/vectors.js';

interface Call {
  method: string;
  path: string | null;
}

/** Patterns of the routes that the document lists as absent. */
const listed = [
  ...(readFileSync('docs/rest-api.md', 'utf8').split('\n## What is not here')[1] ?? '').matchAll(/`(\/v2\/[^`]+)`/g),
]
  .map(([, pattern = '']) => pattern)
  .filter((pattern) => pattern !== '/v2/openapi.json');
const matches = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}$`).test(path);

const ours = routes.map(({ method, path }) => ({ method, pattern: `/v2${path.replace(/\{\w+\}/g, '*')}` }));

/** Calls of /v2 that no route of ours takes, as `GET /v2/…`. */
function lacking(calls: readonly Call[]): Call[] {
  return calls
    .map(({ method, path }) => ({
      method: method.toLowerCase().replace('head', 'get'),
      path: (path ?? '').split('?', 1)[0]?.replace(/\/$/, '') ?? '',
    }))
    .filter(({ path }) => path.startsWith('/v2/'))
    .filter(({ method, path }) => !ours.some((each) => each.method === method && matches(each.pattern, path)));
}

describeWithVectors('routes that the hosted service documents', () => {
  const { cases: documented } = readVectors<{ cases: { requests?: Call[] }[] }>('rest/docs.json');
  const { cases: ofClient } = readVectors<{ cases: Call[] }>('rest/go-buildkite.json');
  const calls = [...documented.flatMap(({ requests }) => requests ?? []), ...ofClient];

  test('every documented route is here, or listed with the reason why it is not', () => {
    expect(calls.length).toBeGreaterThan(200);
    const unlisted = lacking(calls).filter(({ path = '' }) => !listed.some((pattern) => matches(pattern, path ?? '')));
    expect([...new Set(unlisted.map(({ method, path }) => `${method} ${path}`))]).toEqual([]);
  });

  test('every listed route is documented, and none of them is here', () => {
    const paths = lacking(calls).map(({ path }) => path ?? '');
    expect(listed.filter((pattern) => !paths.some((path) => matches(pattern, path)))).toEqual([]);
  });
});

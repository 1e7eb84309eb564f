import { readFileSync } from 'node:fs';
import { isReservedSlug } from '../../../src/domain/organizations/organization-slug.js';
import { ownPages } from '../../../src/web/console/addresses.js';

/** Paths that a surface is at, or that the pages without an organization and the probes have. */
const places = [
  [['src/server/server.ts'], /\{ path: '(\/[^']*)'/g],
  [['src/web/router.ts', 'src/web/sign-in/router.ts'], /router\.(?:use|get|post)\(\s*'(\/[^']*)'/g],
  [['src/server/application.ts'], /'(\/(?:healthz|readyz|metrics))'/g],
] as const;

const paths = new Set([
  ...ownPages,
  ...places.flatMap(([files, pattern]) =>
    files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)].map((match) => match[1] ?? '')),
  ),
]);
/** A file name is no slug, which holds no dot. */
const segments = new Set([...paths].map((path) => path.split('/')[1] ?? '').filter((word) => /^[\w-]+$/.test(word)));

test('no organization hides behind a surface or a page of the service itself', () => {
  expect(segments.size).toBeGreaterThan(18);
  expect([...segments].filter((segment) => !isReservedSlug(segment))).toEqual([]);
  expect(isReservedSlug('GraphQL')).toBe(true);
  expect(isReservedSlug('acme')).toBe(false);
});

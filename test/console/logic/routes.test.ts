import { createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router';
import { describe, expect, test } from 'vitest';
import guide from '../../../docs/console-pages.md?raw';
import { pagePaths, pageRoutes } from '../../../src/console/app/routes';
import { words } from '../../../src/console/app/search-words';
import { navigationOf } from '../../../src/console/layout/navigation';

const root = createRootRoute();
const routes = pageRoutes(root);
const router = createRouter({ routeTree: root.addChildren(routes), history: createMemoryHistory() });

/** The route of an address, with its parameters. */
function routeOf(path: string): [string, object] {
  const last = router.matchRoutes(path, {}).at(-1);
  return [last?.fullPath ?? '', last?.params ?? {}];
}

describe('the routes of the console', () => {
  test.each([
    ['/', '/', {}],
    ['/acme', '/$organization', { organization: 'acme' }],
    ['/acme/app', '/$organization/$pipeline', { organization: 'acme', pipeline: 'app' }],
    ['/acme/app/builds/7', '/$organization/$pipeline/builds/$number', { number: '7' }],
    ['/organizations/acme', '/organizations/$organization', { organization: 'acme' }],
    ['/organizations/acme/agents', '/organizations/$organization/agents', { organization: 'acme' }],
    ['/organizations/acme/agents/1', '/organizations/$organization/agents/$agent', { agent: '1' }],
    ['/organizations/acme/pipelines/new', '/organizations/$organization/pipelines/new', { organization: 'acme' }],
    ['/account', '/account', {}],
  ])('%s is shown by the page %s', (path, route, params) => {
    const [fullPath, found] = routeOf(path);
    expect(fullPath).toBe(route);
    expect(found).toMatchObject(params);
  });

  test.each(['/organizations/acme/nothing', '/organizations/acme/agents/1/nothing', '/acme/app/nothing/at/all'])(
    '%s is no page',
    // What no route takes of an address is left over.
    (path) => expect(router.getMatchedRoutes(path)[1]).toHaveProperty('**'),
  );

  test('every path is declared once', () => {
    expect(pagePaths().length).toBeGreaterThan(25);
    expect(new Set(pagePaths()).size).toBe(pagePaths().length);
  });

  test('a page reads its query string as texts, and drops what is empty or of another kind', () => {
    const read = words('search', 'state');
    expect(read({ search: 'linux', state: 7, other: 'x' })).toEqual({ search: 'linux', state: '7' });
    expect(read({ search: '', state: ['a'] })).toEqual({ search: undefined, state: undefined });
  });

  test('the navigation of an organization leads to its pages, its pipelines first and its settings last', () => {
    const entries = navigationOf(routes, 'acme');
    expect(entries[0]).toEqual({ to: '/acme', text: 'Pipelines', main: true });
    expect(entries).toContainEqual({ to: '/organizations/acme/analytics/suites', text: 'Test suites', main: true });
    expect(entries).toContainEqual({ to: '/organizations/acme/teams', text: 'Teams', main: false });
    expect(entries.at(-1)).toEqual({ to: '/organizations/acme', text: 'Settings', main: false });
    expect(entries.filter(({ to }) => to.includes('$'))).toEqual([]);
  });

  test('the router keeps the routes in the order in which the navigation reads them', () => {
    const { children } = router.routeTree as unknown as { children: typeof routes };
    expect(navigationOf(Object.values(children), 'acme')).toEqual(navigationOf(routes, 'acme'));
  });

  test('every list of an organization is in the table of pages that people read', () => {
    const lists = pagePaths().flatMap((path) => /^\/organizations\/\$organization(\/[^$]+)$/.exec(path)?.[1] ?? []);
    expect(lists).toContain('/agents');
    expect(lists.filter((list) => !guide.includes(`…${list}\``) && !guide.includes(`ORG${list}\``))).toEqual([]);
  });
});

import type { Route } from '../../src/rest/route.js';
import { routes } from '../../src/rest/routes.js';
import { neededBodies, oneOfEverything, type PathValues } from '../support/one-of-everything.js';
import type { Person } from '../support/world.js';
import { everyKind, RestWorld } from './rest-world.js';

let rest: RestWorld;
let noScopes: Person;
let here: PathValues;
/** Values of path parameters that match no resource; every other parameter is an id. */
const nothing: Record<string, string> = { slug: 'nothing', number: '99' };
const missingIn =
  (org: string): PathValues =>
  () =>
    new Proxy(
      { ...nothing, org },
      { get: (known: Record<string, string>, name: string) => known[name] ?? '01900000-0000-7000-8000-000000000000' },
    );
const missing = missingIn('nowhere');

beforeAll(async () => {
  rest = await RestWorld.create({ plan: 'enterprise' });
  noScopes = await rest.world.personWithToken(rest.world.admin.id, rest.world.admin.email, { scopes: [] });
  here = await oneOfEverything(rest.world, everyKind);
});
afterAll(() => rest.close());

/** Reads that are a question to a source provider, which there is none of here. */
const asksOutside: ReadonlySet<string> = new Set(['provider-connection.list-repositories']);

/** Reads about something that no job here has. */
const answersNothing: ReadonlySet<string> = new Set(['job-failure.read']);

/** Reads that need a parameter in the query. */
const needsQuery: ReadonlySet<string> = new Set(['log.search', 'test-plan.get']);

const fill = (path: string, values: PathValues) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => values(path)[name] ?? '');

const ask = (route: Route, values: PathValues, person?: Person) =>
  rest.request(route.method, fill(route.path, values), person).send(neededBodies[route.operation.name]);

const rows: [string, Route][] = routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route]);
const inOrganizations = rows.filter(([, route]) => route.path.includes('/organizations/{org}'));

describe.each(rows)('%s', (_name, route) => {
  const { method, operation } = route;

  test('refuses a request without a token', async () => {
    const reply = await rest.request(method, fill(route.path, here), null);
    if (operation.access === 'anyone') return expect(reply.status).toBe(200);
    expect([reply.status, typeof reply.body.message]).toEqual([401, 'string']);
  });

  test('refuses a token without the scope, naming it', async () => {
    if (operation.scope === null) return;
    const reply = await rest.request(method, fill(route.path, here), noScopes);
    expect(reply.status).toBe(403);
    expect(reply.body.message).toContain(operation.scope);
    expect(reply.headers['x-accepted-oauth-scopes']).toBe(operation.scope);
  });

  test('answers the preflight request of a browser and refuses other methods', async () => {
    const options = await rest.request('options', fill(route.path, here), null);
    expect([options.status, options.headers['allow']]).toEqual([204, expect.stringContaining(method.toUpperCase())]);
    const others = routes.filter((other) => other.path === route.path).map((other) => other.method);
    const unknown = (['patch', 'delete', 'post', 'put'] as const).find((other) => !others.includes(other));
    if (unknown === undefined) throw new Error('a path with every method');
    const reply = await rest.request(unknown, fill(route.path, here));
    expect([reply.status, reply.headers['allow'], typeof reply.body.message]).toEqual([
      405,
      options.headers['allow'],
      'string',
    ]);
  });

  if (method === 'get') {
    test('answers HEAD, and a path with a trailing slash, as it answers without', async () => {
      if (asksOutside.has(operation.name)) return;
      const [plain, slash, head] = await Promise.all([
        rest.get(fill(route.path, here)).set('Accept-Encoding', 'identity'),
        rest.get(`${fill(route.path, here)}/`).set('Accept-Encoding', 'identity'),
        rest.request('head', fill(route.path, here)).set('Accept-Encoding', 'identity'),
      ]);
      const found = route.reply.kind === 'redirect' ? 302 : 200;
      const refused = needsQuery.has(operation.name) ? 422 : null;
      const status = answersNothing.has(operation.name) ? 404 : (refused ?? found);
      expect([plain.status, slash.status, head.status]).toEqual([status, status, status]);
      // A list with cursors links to itself by the path of the request, slash included.
      if (route.reply.kind === 'cursor') return expect(slash.body.items).toEqual(plain.body.items);
      expect(slash.text).toBe(plain.text);
      expect(head.headers['etag']).toBe(plain.headers['etag']);
      // HEAD of a log returns the size of the stored log, whatever the form of the reply.
      if (operation.name !== 'job.log.read')
        expect(head.headers['content-length']).toBe(plain.headers['content-length']);
    });
  }
});

describe.each(inOrganizations)('%s as a route of an organization', (_name, route) => {
  test('answers strangers the same for an existing resource as for an absent one', async () => {
    const { outsider } = rest.world;
    const [hidden, absent] = await Promise.all([ask(route, here, outsider), ask(route, missing, outsider)]);
    expect([hidden.status, hidden.text]).toEqual([404, absent.text]);
    expect(withoutId(hidden.headers)).toEqual(withoutId(absent.headers));
  });

  test("answers 404 for a resource missing in the caller's own organization", async () => {
    if (!/\{(?!org\})/.test(route.path)) return;
    const reply = await ask(route, missingIn('acme'));
    expect([reply.status, reply.body]).toEqual([404, { message: 'Not Found' }]);
  });
});

function withoutId(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !['x-request-id', 'date', 'x-runtime'].includes(name)),
  );
}

test('every route has an operation name that is unique, or a variant of its own', () => {
  const ids = routes.map((route) => `${route.operation.name} ${route.variant ?? ''}`);
  expect(new Set(ids).size).toBe(ids.length);
});

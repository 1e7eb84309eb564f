import { createBuild } from '../../src/operations/builds/create.js';
import { perform } from '../../src/operations/operation.js';
import { createTrigger } from '../../src/operations/pipeline-triggers/create.js';
import { createProviderConnection } from '../../src/operations/provider-connections/create.js';
import { receiveDelivery } from '../../src/operations/webhook-deliveries/receive.js';
import type { Route } from '../../src/rest/route.js';
import { routes } from '../../src/rest/routes.js';
import type { Person } from '../support/world.js';
import { everyKind, RestWorld } from './rest-world.js';

let rest: RestWorld;
let noScopes: Person;
const here: Record<string, string> = { org: 'acme' };
const missing = { org: 'nowhere', slug: 'nothing', number: '99', job: '01900000-0000-7000-8000-000000000000', cluster: '01900000-0000-7000-8000-000000000001', queue: '01900000-0000-7000-8000-000000000002', delivery: '01900000-0000-7000-8000-000000000003', connection: '01900000-0000-7000-8000-000000000004', trigger: '01900000-0000-7000-8000-000000000005' };

beforeAll(async () => {
  rest = await RestWorld.create();
  const { world } = rest;
  noScopes = await world.personWithToken(world.admin.id, world.admin.email, { scopes: [] });
  const pipeline = await world.pipeline(everyKind, { slug: 'app' });
  const { build } = await world.perform(world.admin, createBuild, { pipeline: { id: pipeline.id }, commit: 'HEAD', branch: 'main' });
  const job = await world.services.db.selectFrom('jobs').select('id').where('buildId', '=', build.id).where('type', '=', 'command').executeTakeFirstOrThrow();
  const { connection } = await world.perform(world.admin, createProviderConnection, { organization: { slug: 'acme' }, provider: 'github', token: 'ghp_token' });
  const { id: delivery } = await perform(receiveDelivery, world.system(), { token: pipeline.webhookToken, sender: 'github', event: 'ping', deliveryId: 'one', headers: [], body: Buffer.from('{}'), payload: {}, proof: null });
  const { trigger } = await world.perform(world.admin, createTrigger, { pipeline: { id: pipeline.id } });
  Object.assign(here, { delivery, connection: connection.id, trigger: trigger.id });
  Object.assign(here, { slug: 'app', number: '1', job: job.id, cluster: world.clusterId, queue: world.queues.default });
});
afterAll(() => rest.close());

const fill = (path: string, values: Record<string, string>) => path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');

/** What a route needs in its body to get as far as looking the thing up. */
const bodies: Record<string, object> = {
  'pipeline.create': { name: 'New', repository: 'git@example.com:a/b.git', configuration: 'steps: []' },
  'build.create': { commit: 'HEAD', branch: 'main' },
  'webhook-delivery.preview': { event: 'ping', payload: {} },
  'pipeline.set-webhook-secret': { secret: 'x' },
  'provider-connection.create': { provider: 'github', token: 'x' },
};
const ask = (route: Route, values: Record<string, string>, person?: Person) => rest.request(route.method, fill(route.path, values), person).send(bodies[route.operation.name]);

const rows: [string, Route][] = routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route]);
const inOrganizations = rows.filter(([, route]) => route.path.startsWith('/organizations/{org}'));

describe.each(rows)('%s', (_name, route) => {
  const { method, operation } = route;

  test('refuses whoever has no token', async () => {
    const reply = await rest.request(method, fill(route.path, here), null);
    expect([reply.status, typeof reply.body.message]).toEqual([401, 'string']);
  });

  test('refuses a token without the scope, naming it', async () => {
    if (operation.scope === null) return;
    const reply = await rest.request(method, fill(route.path, here), noScopes);
    expect(reply.status).toBe(403);
    expect(reply.body.message).toContain(operation.scope);
    expect(reply.headers['x-accepted-oauth-scopes']).toBe(operation.scope);
  });

  test('answers a browser and refuses other methods', async () => {
    const options = await rest.request('options', fill(route.path, here), null);
    expect([options.status, options.headers['allow']]).toEqual([204, expect.stringContaining(method.toUpperCase())]);
    const others = routes.filter((other) => other.path === route.path).map((other) => other.method);
    const unknown = (['patch', 'delete', 'post', 'put'] as const).find((other) => !others.includes(other));
    if (unknown === undefined) throw new Error('a path with every method');
    const reply = await rest.request(unknown, fill(route.path, here));
    expect([reply.status, reply.headers['allow'], typeof reply.body.message]).toEqual([405, options.headers['allow'], 'string']);
  });

  if (method === 'get') {
    test('answers with a trailing slash and to HEAD as without', async () => {
      const [plain, slash, head] = await Promise.all([
        rest.get(fill(route.path, here)),
        rest.get(`${fill(route.path, here)}/`),
        rest.request('head', fill(route.path, here)),
      ]);
      expect([plain.status, slash.status, head.status]).toEqual([200, 200, 200]);
      expect(slash.text).toBe(plain.text);
      expect(head.headers['etag']).toBe(plain.headers['etag']);
      // HEAD of a log tells the size of what is stored, whatever the form (rest-facts 2.3.2).
      if (operation.name !== 'job.log.read') expect(head.headers['content-length']).toBe(plain.headers['content-length']);
    });
  }
});

describe.each(inOrganizations)('%s', (_name, route) => {
  test('hides from strangers what is there: the answer is that for what is not', async () => {
    const { outsider } = rest.world;
    const [hidden, absent] = await Promise.all([ask(route, here, outsider), ask(route, missing, outsider)]);
    expect([hidden.status, hidden.text]).toEqual([404, absent.text]);
    expect(withoutId(hidden.headers)).toEqual(withoutId(absent.headers));
  });

  test('and its own organization answers the same for what is missing', async () => {
    if (!/\{(slug|number|job|cluster|queue|delivery|connection|trigger)\}/.test(route.path)) return;
    const reply = await ask(route, { ...missing, org: 'acme' });
    expect([reply.status, reply.body]).toEqual([404, { message: 'Not Found' }]);
  });
});

function withoutId(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !['x-request-id', 'date', 'x-runtime'].includes(name)));
}

test('every operation of the table has a name of its own or a variant', () => {
  const ids = routes.map((route) => `${route.operation.name} ${route.variant ?? ''}`);
  expect(new Set(ids).size).toBe(ids.length);
});

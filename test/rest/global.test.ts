import { decodeNodeId } from '../../src/domain/node-id.js';
import { expectGoldenKeys, expectShape } from './reply-shape.js';
import { RestWorld } from './rest-world.js';

let rest: RestWorld;
beforeAll(async () => (rest = await RestWorld.create()));
afterAll(() => rest.close());

test('GET /user returns the caller', async () => {
  const { body } = await rest.get('/user');
  expectShape('User', body);
  expectGoldenKeys('user', body);
  expect(body).toMatchObject({
    id: rest.world.admin.id,
    email: rest.world.admin.email,
    avatar_url: expect.stringMatching(/^http:\/\/slipway\.test\/avatars\/[0-9a-f]{32}\.svg$/),
  });
});

test("GET /access-token returns the token's scopes without its value, until it is revoked", async () => {
  const person = await rest.world.personWithToken(rest.world.member.id, rest.world.member.email, {
    scopes: ['read_user'],
  });
  const { body, text, headers } = await rest.get('/access-token', person);
  expectShape('AccessToken', body);
  expect(Object.keys(body)).toEqual(['uuid', 'scopes', 'description', 'created_at', 'expires_at', 'user']);
  expect(body.scopes).toEqual(['read_user']);
  expect(text).not.toContain(person.token);
  expect(headers['x-oauth-scopes']).toBe('read_user');
  const revoked = await rest.request('delete', '/access-token', person);
  expect([revoked.status, revoked.text]).toEqual([204, '']);
  expect((await rest.get('/access-token', person)).status).toBe(401);
});

test("GET /organizations lists only the caller's organizations", async () => {
  const { body } = await rest.get('/organizations');
  expect(body).toHaveLength(1);
  expectShape('Organization', body[0]);
  expectGoldenKeys('organization', body[0]);
  expect(body[0]).toMatchObject({
    slug: 'acme',
    url: 'http://slipway.test/v2/organizations/acme',
    pipelines_url: 'http://slipway.test/v2/organizations/acme/pipelines',
  });
  expect((await rest.get('/organizations/acme')).body).toEqual(body[0]);
  const strange = await rest.get('/organizations/other');
  expect([strange.status, strange.body]).toEqual([404, { message: 'Not Found' }]);
});

test('GET clusters and queues returns those of the organization', async () => {
  const clusters = await rest.get('/organizations/acme/clusters');
  expectShape('Cluster', clusters.body[0]);
  const cluster = await rest.get(`/organizations/acme/clusters/${rest.world.clusterId}`);
  expect(clusters.body).toEqual([cluster.body]);
  expect(cluster.body).toMatchObject({
    name: 'Default cluster',
    default_queue_id: rest.world.queues.default,
    maintainers: { users: [], teams: [] },
  });
  expect(decodeNodeId(cluster.body.graphql_id)).toEqual({ kind: 'Cluster', uuid: rest.world.clusterId });
  const queues = await rest.get(`/organizations/acme/clusters/${rest.world.clusterId}/queues`);
  expect(queues.body.map((queue: { key: string }) => queue.key)).toEqual(['default', 'macos']);
  for (const queue of queues.body) {
    expectShape('ClusterQueue', queue);
    expect((await rest.get(queue.url.replace('http://slipway.test/v2', ''))).body).toEqual(queue);
  }
});

test('URLs in replies use BASE_URL, whatever host the request names', async () => {
  const reply = await rest
    .get('/organizations/acme')
    .set({ Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' });
  expect(reply.text).not.toContain('evil');
});

test('GET /openapi.json describes every route, with the same text each time', async () => {
  const reply = await rest.get('/openapi.json', null);
  expect([reply.status, reply.body.openapi]).toEqual([200, '3.1.0']);
  expect(reply.text).toBe((await rest.get('/openapi.json', null)).text);
  const create = reply.body.paths['/v2/organizations/{org}/pipelines/{slug}/builds'].post;
  expect(create).toMatchObject({
    operationId: 'build.create',
    'x-scope': 'write_builds',
    responses: { 201: {}, 422: {} },
  });
  expect(create.requestBody.content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/BuildCreateRequest',
  });
  const schema = reply.body.components.schemas.BuildCreateRequest;
  expect(Object.keys(schema.properties)).toEqual(
    expect.arrayContaining(['commit', 'branch', 'meta_data', 'pull_request_base_branch']),
  );
  expect(Object.keys(schema.properties)).not.toEqual(expect.arrayContaining(['pipeline']));
  const references = [...reply.text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name as string);
  for (const name of references) expect(reply.body.components.schemas).toHaveProperty(name);
});

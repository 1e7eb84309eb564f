import type { Person } from '../../support/world.js';
import { expectShape } from '../reply-shape.js';
import { RestWorld } from '../rest-world.js';

let rest: RestWorld;
let secrets: string;
beforeAll(async () => {
  rest = await RestWorld.create();
  secrets = `/organizations/acme/clusters/${rest.world.clusterId}/secrets`;
});
afterAll(() => rest.close());

const path = (url: string) => url.replace('http://slipway.test/v2', '');
const send = (method: 'post' | 'put' | 'patch' | 'delete', to: string, body: object = {}, person?: Person) =>
  rest.request(method, to, person).send(body);
const value = 'correct horse battery staple';

test('a secret is created, described, given another value and deleted, and no reply contains its value', async () => {
  const created = await send('post', secrets, {
    key: 'TOKEN',
    value,
    description: 'd',
    policy: '- pipeline_slug: app',
  }).expect(201);
  const secret = created.body;
  expectShape('ClusterSecret', secret);
  expect(secret).toMatchObject({
    key: 'TOKEN',
    description: 'd',
    policy: '- pipeline_slug: app',
    last_read_at: null,
    created_by: { id: rest.world.admin.id },
    organization: { slug: 'acme' },
    cluster_url: expect.stringContaining(rest.world.clusterId),
  });
  const one = path(secret.url);
  const replies = [created, await rest.get(one), await rest.get(secrets)];
  expect(replies[1]?.body).toEqual(secret);
  expect(replies[2]?.body).toEqual([secret]);
  rest.world.clock.advance(60);
  for (const method of ['put', 'patch'] as const)
    replies.push(await send(method, one, { description: method, policy: null }).expect(200));
  expect(replies.at(-1)?.body).toMatchObject({
    description: 'patch',
    policy: null,
    updated_at: rest.world.clock.now().toISOString(),
  });
  replies.push(await send('put', `${one}/value`, { value: `${value} again` }).expect(204, ''));
  for (const reply of replies) expect(reply.text).not.toContain(value);
  await send('delete', one).expect(204, '');
  await rest.get(one).expect(404, { message: 'Not Found' });
});

test('an invalid secret is refused with a message that does not repeat its value', async () => {
  await send('post', secrets, { key: 'Taken', value }).expect(201);
  for (const [body, message] of [
    [{ value }, 'Validation failed: Key is missing'],
    [{ key: 'A' }, 'Validation failed: Value is missing'],
    [
      { key: '1A', value },
      'Validation failed: Key must begin with a letter and hold letters, digits and underscores only',
    ],
    [{ key: 'bk_a', value }, 'Validation failed: Key must not begin with "buildkite" or "bk"'],
    [{ key: 'TAKEN', value }, 'Validation failed: Key has already been taken'],
    [{ key: 'A', value: ' \n' }, "Validation failed: Value can't be blank"],
    [{ key: 'A', value: 'ü'.repeat(4096) }, 'Validation failed: Value must be at most 8191 bytes'],
    [{ key: 'A', value: 'x'.repeat(8192) }, expect.stringContaining('Validation failed: Value is too long')],
    [{ key: 'A', value: { secret: value } }, 'Validation failed: Value must be a string'],
    [
      { key: 'A', value, policy: '- pipline: x' },
      expect.stringContaining('Validation failed: Policy has an unknown claim pipline'),
    ],
  ] as const) {
    const reply = await send('post', secrets, body);
    expect([reply.status, reply.body]).toEqual([422, { message }]);
    expect(reply.text).not.toContain(value);
  }
  const [{ url }] = (await rest.get(secrets)).body;
  await send('put', path(url), { key: 'Other' }).expect(422, { message: 'The key parameter cannot be updated.' });
  await send('put', path(url), { value: 'x' }).expect(422, {
    message: 'The value parameter cannot be updated on this endpoint.',
  });
  await send('put', `${path(url)}/value`, {}).expect(422, { message: 'Validation failed: Value is missing' });
  await send('post', secrets, { key: 'Largest', value: 'x'.repeat(8191) }).expect(201);
});

test('only administrators and cluster maintainers have access to secrets, with either spelling of the scope', async () => {
  const { world } = rest;
  for (const call of [rest.get(secrets, world.member), send('post', secrets, { key: 'B', value }, world.member)])
    expect([(await call).status, (await call).body]).toEqual([403, { message: 'Forbidden' }]);
  await send('post', `/organizations/acme/clusters/${world.clusterId}/maintainers`, { user: world.member.id }).expect(
    201,
  );
  await rest.get(secrets, world.member).expect(200);
  await send('post', secrets, { key: 'B', value }, world.member).expect(201);
  const reader = await world.personWithToken(world.admin.id, world.admin.email, { scopes: ['read_clusters'] });
  await rest
    .get(secrets, reader)
    .expect(403, { message: "Your access token doesn't have the read_secrets_details scope" });
});

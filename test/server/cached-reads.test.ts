import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { CredentialUses } from '../../src/auth/credential-uses.js';
import { restSurface } from '../../src/rest/router.js';
import { createApplication } from '../../src/server/application.js';
import { World } from '../support/world.js';

/** A reply that is kept is sent before Express has the request, and leaves the same records as any other. */
let world: World;
let server: Server;
const lines: Record<string, unknown>[] = [];
const path = '/v2/organizations/acme/pipelines?per_page=5';

beforeAll(async () => {
  world = await World.create();
  world.services.log = { ...world.services.log, info: (fields) => void lines.push(fields as Record<string, unknown>) };
  world.services.credentialUses = new CredentialUses();
  await world.pipeline('steps: [{ command: make }]', { slug: 'app' });
  const surface = { path: '/v2', ...restSurface(world.services) };
  server = createServer(createApplication(world.services, [surface], { metrics: true })).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await world.close();
});

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const ask = async (headers: Record<string, string> = {}) => {
  const reply = await fetch(url() + path, { headers: { authorization: world.admin.authorization, ...headers } });
  return { reply, text: await reply.text() };
};

test('the log, the metrics and the use of the token are those of a reply that was made anew', async () => {
  const uses = vi.spyOn(world.services.credentialUses!, 'note');
  const replies = [await ask(), await ask(), await ask({ 'X-Request-Id': 'mine' })];
  expect(world.services.fragmentCache!.responses.counts).toMatchObject({ kept: 1, hits: 1 });
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  expect(replies[2]?.reply.headers.get('x-request-id')).toBe('mine');
  await vi.waitFor(() => expect(lines).toHaveLength(3));
  const without = ({ request_id: _id, ms: _ms, ...fields }: Record<string, unknown>) => fields;
  expect(lines.map(without)).toEqual(
    Array.from({ length: 3 }, () => ({
      method: 'GET',
      route: '/v2/organizations/:org/pipelines',
      actor: 'user',
      actor_id: world.admin.id,
      organization: 'acme',
      remote_address: '127.0.0.1',
      protocol: 'http',
      status: 200,
    })),
  );
  expect(lines[2]?.['request_id']).toBe('mine');
  expect(uses).toHaveBeenCalledTimes(3);
  expect(uses.mock.calls[2]?.slice(0, 2)).toEqual(uses.mock.calls[0]?.slice(0, 2));
  const metrics = await (await fetch(`${url()}/metrics`)).text();
  expect(metrics).toContain(
    'slipway_http_request_duration_seconds_count{method="GET",route="/v2/organizations/:org/pipelines",status="200"} 3',
  );
});

test('a client that sends the entity tag gets 304', async () => {
  const tag = String((await ask()).reply.headers.get('etag'));
  const { hits } = world.services.fragmentCache!.responses.counts;
  const { reply, text } = await ask({ 'If-None-Match': tag });
  expect([reply.status, text, reply.headers.get('content-type')]).toEqual([304, '', null]);
  expect(world.services.fragmentCache!.responses.counts.hits).toBe(hits + 1);
});

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performAndRender } from '../../src/core/operation.js';
import { ReadMemory, replyTooLarge } from '../../src/database/read-memory.js';
import { limits } from '../../src/domain/limits/limits.js';
import { unsentBytes } from '../../src/http/unsent-bytes.js';
import { createBuild } from '../../src/operations/builds/create.js';
import { RestWorld } from './rest-world.js';

const KiB = 1024;
const MiB = 1024 * KiB;
const builds = '/organizations/acme/pipelines/app/builds';
/** What all of a build's steps are told; each build shows its pipeline with it. */
const text = 'x'.repeat(200 * KiB);

let rest: RestWorld;
beforeAll(async () => {
  rest = await RestWorld.create();
  await rest.world.pipeline(`env: { TEXT: "${text}" }\nsteps: [{ command: make }]`, { slug: 'app' });
  for (let number = 1; number <= 12; number += 1)
    await rest.post(builds, { commit: 'HEAD', branch: 'main' }).expect(201);
});
afterAll(() => rest.close());
afterEach(() => {
  delete rest.world.services.readMemory;
});

const tagOf = (body: string) => `W/"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;

describe('a large reply', () => {
  test('has the headers of any other: its length, a tag of its bytes, 304 for that tag, and all of them for HEAD', async () => {
    const reply = await rest.get(builds).set('Accept-Encoding', 'identity').expect(200);
    expect(reply.text.length).toBeGreaterThan(2 * MiB);
    const { etag, 'content-length': length } = reply.headers;
    expect([etag, Number(length)]).toEqual([tagOf(reply.text), Buffer.byteLength(reply.text)]);
    expect(reply.headers['x-runtime']).toMatch(/^\d+\.\d{6}$/);
    const again = await rest.get(builds).set('If-None-Match', String(etag));
    expect([again.status, again.text]).toEqual([304, '']);
    const head = await rest.request('head', builds).set('Accept-Encoding', 'identity').expect(200);
    expect([head.headers['etag'], head.headers['content-length']]).toEqual([etag, length]);
  });

  test('is the same text compressed', async () => {
    const plain = await rest.get(builds).set('Accept-Encoding', 'identity');
    const packed = await rest.get(builds).set('Accept-Encoding', 'gzip');
    expect([packed.headers['content-encoding'], packed.headers['etag']]).toEqual(['gzip', plain.headers['etag']]);
    expect(packed.text).toBe(plain.text);
  });

  test('is refused before it is built where its parts together are too large, and a smaller page is not', async () => {
    rest.world.services.readMemory = new ReadMemory(2 * MiB, 8 * MiB);
    const refused = await rest.get(builds);
    expect([refused.status, refused.body.message]).toEqual([413, expect.stringContaining('more than 2 MiB')]);
    expect(refused.body.message).toContain('per_page');
    await rest.get(`${builds}?per_page=2`).expect(200);
    await rest.get(`${builds}/1`).expect(200);
  });

  test('is refused where the rows are too large to be read', async () => {
    rest.world.services.readMemory = new ReadMemory(64 * KiB, MiB);
    const refused = await rest.get('/organizations/acme/pipelines/app');
    expect([refused.status, refused.body.message]).toEqual([413, expect.stringContaining('by a filter')]);
    await rest.get('/organizations/acme').expect(200);
    expect(rest.world.services.readMemory.used).toBe(0);
  });
});

test('a repeat whose result is not stored any more is refused and not carried out again', async () => {
  const send = () => rest.post(builds, { commit: 'HEAD', branch: 'once' }).set('Idempotency-Key', 'once');
  await send().expect(201);
  const stored = rest.world.services.db.updateTable('idempotency_keys').where('key', '=', 'once');
  await stored.set({ result: null, replyStatus: null, replyBody: null }).execute();
  await send().expect(409);
  expect((await rest.get(`${builds}?branch=once`).expect(200)).body).toHaveLength(1);
});

describe('a command whose reply is large', () => {
  test('is stored under its idempotency key by its URL, where a repeat is sent to', async () => {
    const large = 'm'.repeat(limits.envBytes - 1000);
    const body = { commit: 'HEAD', branch: 'main', env: { LARGE: large }, message: 'm'.repeat(60 * KiB) };
    const send = () => rest.post(builds, body).set('Idempotency-Key', 'large').redirects(0);
    const first = await send().expect(201);
    expect(first.text.length).toBeGreaterThan(limits.idempotencyReplyBytes);
    const repeat = await send().ok(() => true);
    expect([repeat.status, repeat.headers['location'], repeat.body]).toEqual([
      303,
      first.body.url,
      { url: first.body.url },
    ]);
    const { db } = rest.world.services;
    const rows = await db.selectFrom('idempotency_keys').selectAll().where('key', '=', 'large').execute();
    expect(JSON.stringify(rows).length).toBeLessThan(32 * KiB);
    const { pathname } = new URL(first.body.url);
    expect((await rest.get(pathname.slice('/v2'.length)).expect(200)).body.env.LARGE).toBe(large);
  });

  test('says that it was carried out if its reply is too large to be made, and is carried out once', async () => {
    const { world } = rest;
    const render = async () => {
      throw replyTooLarge(MiB);
    };
    const pipeline = await world.services.db
      .selectFrom('pipelines')
      .select('id')
      .where('slug', '=', 'app')
      .executeTakeFirstOrThrow();
    const input = { pipeline: { id: pipeline.id }, commit: 'HEAD', branch: 'too-large' };
    for (let time = 0; time < 2; time += 1) {
      const context = await world.as(world.admin, { idempotency: { key: 'too-large', fingerprint: 'same' } });
      await expect(performAndRender(createBuild, context, input, render)).rejects.toThrow('was carried out');
    }
    expect((await rest.get(`${builds}?branch=too-large&exclude_pipeline=true`)).body).toHaveLength(1);
  });
});

describe('clients that read slowly', () => {
  let server: Server;
  const clients: Socket[] = [];
  beforeAll(async () => {
    server = createServer(rest.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    for (const client of clients) client.destroy();
    server.close();
    server.closeAllConnections();
  });

  test('hold no more of large replies than the process has room for, and leave none of it when they go', async () => {
    const { port } = server.address() as AddressInfo;
    for (let index = 0; index < 6; index += 1) {
      const client = connect(port, '127.0.0.1');
      client.on('error', () => undefined);
      client.write(
        `GET /v2${builds} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${rest.world.admin.authorization}\r\n\r\n`,
      );
      await once(client, 'readable');
      clients.push(client);
    }
    // The system takes some megabytes of each.
    expect(unsentBytes.bytes).toBeLessThan(6 * 3 * MiB);
    for (const client of clients) client.destroy();
    await vi.waitFor(() => expect(unsentBytes.bytes).toBe(0));
  });
});

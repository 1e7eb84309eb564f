import express from 'express';
import { sql } from 'kysely';
import supertest from 'supertest';
import { hashToken } from '../../src/auth/secrets.js';
import { ResponseCache } from '../../src/response-cache/response-cache.js';
import { handleOver } from '../../src/database/handle-over.js';
import { restSurface } from '../../src/rest/router.js';
import { StatementGauge } from '../support/statement-gauge.js';
import { RestWorld } from './rest-world.js';

/**
 * A reply that was made twice is kept whole, and given again after one statement that finds nothing changed. These are
 * the ways in which something could change.
 */
let rest: RestWorld;
const all = '/organizations/acme/pipelines';

beforeAll(async () => {
  rest = await RestWorld.create({ teamsEnabled: true });
  for (const slug of ['one', 'two', 'three']) await rest.world.pipeline('steps: [{ command: make }]', { slug });
  const made = await rest.post(`${all}/one/builds`, { commit: 'HEAD', branch: 'main', message: 'Hi' });
  expect(made.status).toBe(201);
});
afterAll(() => rest.close());
beforeEach(() => rest.world.services.fragmentCache!.clear());

const counts = () => ({ ...rest.world.services.fragmentCache!.responses.counts });

/** Asks until the reply is kept. */
async function keep(path: string, person = rest.world.admin) {
  const before = counts().kept;
  await rest.get(path, person);
  const reply = await rest.get(path, person);
  expect([path, reply.status, counts().kept]).toEqual([path, 200, before + 1]);
  return reply;
}

/** Asks once more; says whether the kept reply was given. */
async function again(path: string, person = rest.world.admin) {
  const before = counts().hits;
  const reply = await rest.get(path, person);
  return { reply, wasKept: counts().hits > before };
}

test('a page that has not changed takes one statement, which tells who asks and whether anything has changed', async () => {
  const path = `${all}?per_page=2&page=1`;
  const first = await keep(path);
  let second = first;
  expect(await rest.statements(async () => (second = await rest.get(path)))).toBe(1);
  expect(second.text).toBe(first.text);
  for (const name of ['etag', 'link', 'content-type', 'cache-control', 'x-oauth-scopes'])
    expect([name, second.headers[name]]).toEqual([name, first.headers[name]]);
  const { status } = await rest.get(path).set('If-None-Match', String(first.headers['etag']));
  expect(status).toBe(304);
});

test.each([
  ['a row that shows', () => sql`update pipelines set description = coalesce(description, '') || 'x'`],
  ['a row that is gone', () => sql`update pipelines set organization_id = gen_random_uuid() where slug = 'three'`],
  ['a count', () => sql`update jobs set state = 'running'`],
  ['the organization', () => sql`update organizations set name = name || 'x' where slug = 'acme'`],
])('a change of %s is in the next reply', async (_what, change) => {
  const path = `${all}?per_page=50`;
  await keep(path);
  expect((await again(path)).wasKept).toBe(true);
  await change().execute(rest.world.services.db);
  const { reply, wasKept } = await again(path);
  const { services } = rest.world;
  const { fragmentCache } = services;
  services.fragmentCache = undefined;
  const anew = await rest.get(path).then((made) => made.text);
  services.fragmentCache = fragmentCache;
  expect([wasKept, reply.text === anew]).toEqual([false, true]);
});

test('a change that is undone between two requests shows what is true at each of them', async () => {
  const path = `${all}/one`;
  const name = (value: string) => sql`update pipelines set name = ${value} where slug = 'one'`;
  await name('First').execute(rest.world.services.db);
  await keep(path);
  await name('Second').execute(rest.world.services.db);
  expect((await rest.get(path)).body.name).toBe('Second');
  await name('First').execute(rest.world.services.db);
  expect((await rest.get(path)).body.name).toBe('First');
  expect((await rest.get(path)).body.name).toBe('First');
});

test('the next request after a token is revoked is refused', async () => {
  const { world } = rest;
  const person = await world.personWithToken(world.admin.id, world.admin.email);
  await keep(all, person);
  expect((await again(all, person)).wasKept).toBe(true);
  await sql`update api_tokens set revoked_at = now() where user_id = ${world.admin.id} and id = (select max(id::text)::uuid from api_tokens)`.execute(
    world.services.db,
  );
  expect((await rest.get(all, person)).status).toBe(401);
});

test('a token is refused once it has expired, whatever is kept', async () => {
  const { world } = rest;
  const person = await world.personWithToken(world.admin.id, world.admin.email);
  const expiresAt = new Date(world.clock.now().getTime() + 60_000);
  const tokenHash = hashToken(person.token);
  await world.services.db.updateTable('api_tokens').set({ expiresAt }).where('tokenHash', '=', tokenHash).execute();
  await keep(all, person);
  expect((await again(all, person)).wasKept).toBe(true);
  world.clock.advance(61);
  expect((await rest.get(all, person)).status).toBe(401);
});

test('who has lost a right does not get the reply of before', async () => {
  const { world } = rest;
  const { db } = world.services;
  const person = await world.person({ organizationId: world.organization.id, role: 'admin' });
  await keep(all, person);
  expect((await again(all, person)).reply.body.length).toBeGreaterThan(1);
  await sql`update organization_members set role = 'member' where user_id = ${person.id}`.execute(db);
  // Teams are on, and this member is in none.
  expect((await rest.get(all, person)).body).toEqual([]);
  expect((await again(all, person)).wasKept).toBe(true);
  await sql`update pipelines set visibility = 'public' where slug = 'one'`.execute(db);
  expect((await rest.get(all, person)).body).toHaveLength(1);
  await sql`delete from organization_members where user_id = ${person.id}`.execute(db);
  expect((await rest.get(all, person)).status).toBe(404);
});

test('nobody gets what was kept for somebody else', async () => {
  await keep(`${all}/two`);
  expect((await rest.get(`${all}/two`, rest.world.outsider)).status).toBe(404);
  expect((await rest.get(`${all}/two`, null)).status).toBe(401);
});

test('a page that changes every time is soon served as if nothing was kept', async () => {
  const path = `${all}/two?busy`;
  const before = counts();
  for (let time = 0; time < 40; time += 1) {
    await sql`update pipelines set description = ${String(time)} where slug = 'two'`.execute(rest.world.services.db);
    expect((await rest.get(path)).body.description).toBe(String(time));
  }
  expect(counts().changed - before.changed).toBeLessThan(10);
  expect(counts().hits).toBe(before.hits);
});

test('requests that come while a kept reply is checked share the next check, and see what has changed since', async () => {
  const path = `${all}/two`;
  const { etag } = (await keep(path)).headers;
  const { services } = rest.world;
  const { db } = services;
  const holds = vi.spyOn(ResponseCache.prototype, 'holds');
  const others: Promise<string | undefined>[] = [];
  // A single request each, also where every read is compared with one made anew.
  const { authorization } = rest.world.admin;
  const tagOf = async (): Promise<string | undefined> =>
    (await supertest(rest.app).get(`/v2${path}`).set('Authorization', authorization)).headers['etag'];
  let checked = 0;
  services.db = handleOver(db, {
    provideConnection: async (consumer) => {
      const result = await db.getExecutor().provideConnection(consumer);
      checked += 1;
      if (checked > 1) return result;
      // The first check has found nothing changed, and its request does not know yet.
      for (let count = 0; count < 8; count += 1) others.push(tagOf());
      await vi.waitFor(() => expect(holds).toHaveBeenCalledTimes(9));
      await sql`update pipelines set name = name || 'x' where slug = 'two'`.execute(db);
      return result;
    },
  });
  try {
    expect(await tagOf()).toBe(etag);
    const tags = new Set(await Promise.all(others));
    expect([tags.size, tags.has(etag)]).toEqual([1, false]);
  } finally {
    services.db = db;
    holds.mockRestore();
  }
});

test('sixteen at a time are answered with what is kept, by fewer statements than there are requests', async () => {
  const path = `${all}/one`;
  await keep(path);
  const before = counts().hits;
  const sent = await rest.statements(async () => {
    for (let round = 0; round < 3; round += 1)
      await Promise.all(Array.from({ length: 16 }, () => rest.get(path).expect(200)));
  });
  expect(counts().hits - before).toBe(48);
  expect(sent).toBeLessThan(48);
});

test('a kept reply is counted, limited and has the headers of any other', async () => {
  const { world } = rest;
  const limits = { graphqlCost: 0, requestsPerMinuteOrganization: 20, requestsPerMinuteUser: 4 };
  const app = express().use('/v2', restSurface({ ...world.services, limits }).router);
  const ask = (path = all) => supertest(app).get(`/v2${path}`).set('Authorization', world.member.authorization);
  const before = counts().hits;
  const [first, , third, fourth, refused] = [await ask(), await ask(), await ask(), await ask(), await ask()];
  expect(counts().hits - before).toBeGreaterThanOrEqual(2);
  const changing = ['date', 'x-request-id', 'x-runtime', 'ratelimit-remaining', 'ratelimit-user-remaining'];
  const lasting = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !changing.includes(name)));
  expect(lasting(third.headers)).toEqual(lasting(first.headers));
  expect(third.headers['ratelimit-user-remaining']).toBe('1');
  expect([fourth.status, fourth.headers['ratelimit-remaining']]).toEqual([200, '16']);
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)]);
});

test('a kept reply is sent to HEAD without its body, and compressed where that is asked for', async () => {
  const first = await keep(all);
  const head = await rest.request('head', all);
  const length = String(Buffer.byteLength(first.text));
  expect([head.status, head.headers['content-length'], head.text]).toEqual([200, length, undefined]);
  const before = counts().hits;
  for (const encoding of ['gzip', 'identity']) {
    const { headers, text } = await rest.get(all).set('Accept-Encoding', encoding);
    expect([headers['content-encoding'], text]).toEqual([encoding === 'gzip' ? 'gzip' : undefined, first.text]);
    expect(headers['vary']).toBe('Accept, Accept-Encoding');
  }
  expect(counts().hits).toBe(before + 2);
});

test('a check that takes too long is answered 503 at the deadline', async () => {
  const { services } = rest.world;
  await keep(all);
  services.limits.requestMilliseconds = 50;
  let go = (): void => undefined;
  const waits = new Promise<void>((resolve) => (go = resolve));
  await StatementGauge.during(services, async (gauge) => {
    gauge.before = () => waits;
    const reply = await rest.get(all);
    expect([reply.status, reply.headers['retry-after'], gauge.sent]).toEqual([503, '5', 1]);
    go();
  }).finally(() => delete services.limits.requestMilliseconds);
});

test('what the server may have lost is not given again', async () => {
  await keep(`${all}/two`);
  rest.world.services.fragmentCache!.clear();
  expect((await again(`${all}/two`)).wasKept).toBe(false);
});

import type { UserActor } from '../../src/auth/actor.js';
import type { Context } from '../../src/request/context.js';
import { DocumentTurns, HeavyTurns } from '../../src/graphql/limits/turns.js';
import { BoundedLimiter } from '../../src/resources/installation/rate-limits/bounded-limiter.js';
import { RateLimits } from '../../src/rest/requests/rate-limit.js';
import type { Services } from '../../src/services/services.js';

const many = 100_000;

test('100,000 keys of a limiter leave 10,000 of them counted, and a key in use is never forgotten', async () => {
  const limiter = new BoundedLimiter({ points: many, duration: 600 });
  for (let n = 0; n < many; n += 1) {
    await limiter.consume(`key ${n}`);
    if (n % 5_000 === 0) await limiter.consume('in use');
  }
  expect(limiter.size).toBe(10_000);
  expect((await limiter.get('in use'))?.consumedPoints).toBe(20);
  expect(await limiter.get('key 0')).toBeNull();
  const { limiter: inner } = limiter as unknown as { limiter: { _memoryStorage: { _storage: Map<string, unknown> } } };
  expect(inner._memoryStorage._storage.size).toBe(10_000);
});

test('a limiter says what was consumed also where it was too much', async () => {
  const limiter = new BoundedLimiter({ points: 2, duration: 600 });
  for (let n = 0; n < 4; n += 1) await limiter.consume('key');
  expect((await limiter.consume('key')).consumedPoints).toBe(5);
});

test('100,000 users with a token each leave a bounded number of leases and memberships', async () => {
  const limits = { requestsPerMinuteOrganization: 6_000, requestsPerMinuteUser: 3_000 };
  const rates = new RateLimits({ limits } as Services);
  const statement = { executeTakeFirstOrThrow: async () => ({ requests: 60 }) };
  const builder: object = new Proxy(statement, { get: (target, name) => Reflect.get(target, name) ?? (() => builder) });
  const load = { organization: { loadMany: async (ids: string[]) => ids.map((id) => ({ id, slug: `slug ${id}` })) } };
  const context = () => ({ db: { insertInto: () => builder }, load }) as unknown as Context;
  const now = new Date();
  for (let n = 0; n < many; n += 1) {
    const roles = new Map(Array.from({ length: 3 }, (_, index) => [`${n}-${index}`, 'member']));
    const actor = { kind: 'user', userId: `user ${n}`, tokenId: `token ${n}`, roles } as unknown as UserActor;
    await rates.count({ now, context }, actor, `slug ${n}-0`, { setHeader: () => undefined } as never);
  }
  // Leases of users and of organizations, and memberships.
  const { organization, user, memberships } = rates as unknown as Record<
    string,
    { leases: { size: number }; size: number }
  >;
  expect(user?.leases.size).toBe(10_000);
  expect(organization?.leases.size).toBe(10_000);
  expect(memberships?.size).toBe(25_000);
});

test('100,000 users leave no turns behind', async () => {
  const documents = new DocumentTurns();
  const heavy = new HeavyTurns();
  const { signal } = new AbortController();
  for (let n = 0; n < many; n += 1) {
    await documents.take(`user ${n}`, signal, async () => undefined);
    (await heavy.take(`user ${n}`, undefined))();
  }
  await new Promise((resolve) => setImmediate(resolve));
  for (const turns of [documents, heavy] as unknown as { users: Map<string, unknown> }[])
    expect(turns.users.size).toBe(0);
});

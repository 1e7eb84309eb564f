import { randomUUID } from 'node:crypto';
import { handleOver } from '../../../src/database/handle-over.js';
import { getRateLimits } from '../../../src/operations/organizations/get-rate-limits.js';
import { PointBudgets } from '../../../src/resources/installation/rate-limits/point-budgets.js';
import { presentRateLimit } from '../../../src/rest/present/organizations/organization.js';
import { Door } from '../support.js';

describe('the complexity points of five minutes', () => {
  let door: Door;
  beforeAll(async () => {
    door = await Door.open();
    Object.assign(door.world.services.limits, { graphqlOrganizationPoints: 8, graphqlUserPoints: 5 });
    await door.stop();
    door = await Door.onto(door.world);
  });
  afterAll(() => door.close());

  const query = '{ organization(slug: "acme") { pipelines(first: 500) { count } } viewer { user { name } } }';

  test("points are shown in headers and charged at an operation's actual cost, and an operation without points left is refused with 429 [compat:25]", async () => {
    const first = await door.post().send({ query });
    expect(first.status).toBe(200);
    expect(first.headers).toMatchObject({
      'ratelimit-complexity-actual': '4',
      'ratelimit-limit': '8',
      'ratelimit-remaining': '4',
      'ratelimit-user-limit': '5',
      'ratelimit-user-remaining': '1',
    });
    expect(Number(first.headers['ratelimit-reset'])).toBeGreaterThan(0);
    const second = await door.post().send({ query });
    expect([second.status, second.headers['ratelimit-user-remaining']]).toEqual([200, '-3']);
    const third = await door.post().send({ query: '{ viewer { id } }' });
    expect([third.status, third.headers['retry-after'], third.body.data ?? null]).toEqual([
      429,
      third.headers['ratelimit-user-reset'],
      null,
    ]);
    expect(third.body.errors[0].message).toMatch(
      /^You have exceeded the limit of (5|8) complexity points\. Please try again in \d+ seconds\.$/,
    );
    expect(third.body.errors[0].extensions.code).toBe('RATE_LIMITED');
  });

  test('the points that are spent can be asked for', async () => {
    const { limits } = await door.world.perform(door.world.admin, getRateLimits, { organization: { slug: 'acme' } });
    expect(limits.filter(({ api }) => api === 'graphql')).toEqual([
      { api: 'graphql', sharedBy: 'organization', limit: 8, windowSeconds: 300, used: 8 },
      { api: 'graphql', sharedBy: 'user', limit: 5, windowSeconds: 300, used: 8 },
    ]);
    const reply = await presentRateLimit(door.world.system(), {
      limits,
      requestWindowEnd: door.world.clock.now(),
      pointsWindowEnd: new Date(door.world.clock.now().getTime() + 120_000),
    });
    expect(reply).toMatchObject({ scopes: { graphql: { limit: 8, current: 8, reset: 120, enforced: true } } });
  });

  test('members share the points of their organization, and strangers do not use them up', async () => {
    const stranger = await door.post(door.world.outsider).send({ query: '{ organization(slug: "acme") { name } }' });
    expect([stranger.status, stranger.body.data]).toEqual([200, { organization: null }]);
    const member = await door.post(door.world.member).send({ query: '{ viewer { id } }' });
    expect([member.status, member.headers['ratelimit-remaining']]).toEqual([429, '0']);
  });

  test('are spent from one budget by all processes, each of which tells of a hundredth of it', async () => {
    const { services } = door.world;
    const process = () =>
      PointBudgets.of({
        ...services,
        limits: { ...services.limits, graphqlOrganizationPoints: 1_000, graphqlUserPoints: 1_000 },
      });
    const [one, other] = [process(), process()];
    const payer = { userId: randomUUID(), organizationId: null };
    await one.spend(payer, 1);
    expect((await other.spend(payer, 1)).user?.remaining).toBe(998);
    for (let time = 0; time < 9; time += 1) await one.spend(payer, 1);
    expect(other.left(payer).user?.remaining).toBe(998);
    expect((await other.spend(payer, 10)).user?.remaining).toBe(988);
    await one.spend(payer, 1);
    expect((await other.ask(payer)).user?.remaining).toBe(978);
    await one.spend(payer, 2_000);
    expect((await other.spend(payer, 10)).user?.remaining).toBeLessThan(0);
    door.world.clock.advance(300);
    expect([one.left(payer).user?.remaining, other.left(payer).user?.remaining]).toEqual([1_000, 1_000]);
    expect((await other.spend(payer, 1)).user?.remaining).toBe(999);
  });

  test('that cannot be told of while the database is away are told of later, and no operation fails', async () => {
    const { services } = door.world;
    const limits = { ...services.limits, graphqlUserPoints: 1_000 };
    const ofProcess = { ...services, limits, log: { ...services.log, warn: vi.fn() } };
    const budgets = PointBudgets.of(ofProcess);
    const payer = { userId: randomUUID(), organizationId: null };
    const { db } = ofProcess;
    ofProcess.db = handleOver(db, { provideConnection: () => Promise.reject(new Error('away')) });
    expect((await budgets.spend(payer, 50)).user?.remaining).toBe(950);
    expect(ofProcess.log.warn).toHaveBeenCalledOnce();
    ofProcess.db = db;
    await budgets.spend(payer, 1);
    const [row] = await db
      .selectFrom('graphql_point_counts')
      .select('points')
      .where('subjectId', '=', payer.userId)
      .execute();
    expect(row?.points).toBe(51);
  });
});

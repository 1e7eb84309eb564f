import { sql } from 'kysely';
import { CredentialUses } from '../../src/auth/credential-uses.js';
import { forgetSessions, signInAttemptsKept } from '../../src/background/organizations/forget-sessions.js';
import { World } from '../support/world.js';

describe('what callers choose the keys of', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  });
  afterAll(() => world.close());
  const counted = async () =>
    Number(
      (await sql<{ n: string }>`select count(*) as n from sign_in_attempts`.execute(world.services.db)).rows[0]?.n,
    );
  const attempt = (count: number, expire: number) =>
    sql`insert into sign_in_attempts (key, points, expire) select gen_random_uuid()::text, 1, ${expire}::bigint + n
      from generate_series(1, ${count}::int) n`.execute(world.services.db);

  test('counters of sign-in attempts are bounded in rows, and those over first are forgotten first', async () => {
    await attempt(signInAttemptsKept + 5_000, Date.now() + 60_000);
    await forgetSessions(world.services);
    expect(await counted()).toBe(signInAttemptsKept);
    const { rows } = await sql<{ least: string; most: string }>`
      select min(expire) as least, max(expire) as most from sign_in_attempts`.execute(world.services.db);
    expect(Number(rows[0]?.most) - Number(rows[0]?.least)).toBe(signInAttemptsKept - 1);
    await sql`update sign_in_attempts set expire = 1`.execute(world.services.db);
    await forgetSessions(world.services);
    expect(await counted()).toBe(0);
  });

  test('100,000 credentials with long user agents leave a bounded number of short ones in memory', () => {
    const uses = new CredentialUses();
    for (let n = 0; n < 100_000; n += 1)
      uses.note('session', `session ${n}`, { at: new Date(), ipAddress: null, userAgent: 'a'.repeat(1_200) });
    const taken = [...uses.take('session').values()];
    expect(taken).toHaveLength(50_000);
    expect(Math.max(...taken.map(({ userAgent }) => userAgent?.length ?? 0))).toBe(1_000);
  });
});

import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { boundedTables, boundTables } from '../../src/background/retention/bound-tables.js';
import { limits } from '../../src/domain/limits/limits.js';
import { World } from '../support/world.js';

describe('tables of what is kept for a while', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  });
  afterAll(() => world.close());

  const most = 300_000;
  const bound = (table: string) =>
    boundTables(
      world.services,
      boundedTables.filter((each) => each.table === table).map((each) => ({ ...each, most })),
    );
  /** A text that does not get smaller by compression. */
  const text = () => randomBytes(20_000).toString('base64');
  const minutesAgo = (minutes: number) => new Date(world.services.clock.now().getTime() - minutes * 60_000);
  const idsIn = async (query: ReturnType<typeof sql<{ id: string }>>) =>
    (await query.execute(world.services.db)).rows.map(({ id }) => id).sort();

  test('the oldest payloads of processed deliveries go beyond the bound; waiting ones and those of others stay', async () => {
    const { db } = world.services;
    const [greedy, modest] = [randomUUID(), randomUUID()];
    const insert = async (organizationId: string, age: number, processed: boolean) => {
      const id = randomUUID();
      await sql`insert into webhook_deliveries (id, organization_id, pipeline_id, sender, event, delivery_id, headers, payload, created_at, processed_at)
        values (${id}, ${organizationId}, ${randomUUID()}, 'github', 'push', ${id}, '{}', ${JSON.stringify({ text: text() })}::jsonb,
          ${minutesAgo(age)}, ${processed ? minutesAgo(age) : null})`.execute(db);
      return id;
    };
    const waiting = await insert(greedy, 100, false);
    const ids: string[] = [];
    for (let age = 40; age > 0; age -= 1) ids.push(await insert(greedy, age, true));
    const ofModest = await insert(modest, 200, true);
    expect(await bound('webhook_deliveries')).toBeGreaterThan(20);
    const left = await idsIn(sql`select id from webhook_deliveries where payload is not null`);
    expect(left.length).toBeGreaterThan(8);
    expect(left).toEqual([waiting, ofModest, ...ids.slice(-(left.length - 2))].sort());
    expect(await bound('webhook_deliveries')).toBe(0);
  });

  test('the oldest notifications go with their deliveries beyond the bound; pending ones stay', async () => {
    const { db } = world.services;
    const organizationId = randomUUID();
    const insert = async (age: number, state: string) => {
      const id = randomUUID();
      await sql`insert into notifications (id, organization_id, event, payload, created_at)
        values (${id}, ${organizationId}, 'build.finished', ${text()}, ${minutesAgo(age)})`.execute(db);
      await sql`insert into notification_deliveries (id, organization_id, notification_id, url, receiver, order_key, sequence, state, next_attempt_at, created_at)
        values (${randomUUID()}, ${organizationId}, ${id}, 'https://example.com', 'r', 'k', 1, ${state}, ${minutesAgo(0)}, ${minutesAgo(age)})`.execute(
        db,
      );
      return id;
    };
    const pending = await insert(100, 'pending');
    const ids: string[] = [];
    for (let age = 40; age > 0; age -= 1) ids.push(await insert(age, 'delivered'));
    await bound('notifications');
    const left = await idsIn(sql`select id from notifications where organization_id = ${organizationId}`);
    expect(left.length).toBeGreaterThan(5);
    expect(left.length).toBeLessThan(20);
    expect(left).toEqual([pending, ...ids.slice(-(left.length - 1))].sort());
    const of = sql<{
      id: string;
    }>`select notification_id as id from notification_deliveries where organization_id = ${organizationId}`;
    expect(await idsIn(of)).toEqual(left);
  });

  test('stored results of one token go beyond the bound, and their keys stay', async () => {
    const { db } = world.services;
    const token = randomUUID();
    for (let age = 40; age > 0; age -= 1)
      await sql`insert into idempotency_keys (api_token_id, key, operation, fingerprint, result, reply_status, reply_body, created_at)
        values (${token}, ${`key ${age}`}, 'o', 'f', ${JSON.stringify({ sealed: text() })}::jsonb, 200, 'b', ${minutesAgo(age)})`.execute(
        db,
      );
    await bound('idempotency_keys');
    const { rows } = await sql<{ key: string; present: boolean }>`
      select key, result is not null as present from idempotency_keys where api_token_id = ${token} order by created_at`.execute(
      db,
    );
    expect(rows).toHaveLength(40);
    const first = rows.findIndex(({ present }) => present);
    expect(first).toBeGreaterThan(20);
    expect(rows.slice(first).every(({ present }) => present)).toBe(true);
  });

  test('counts of points are forgotten an hour after their window', async () => {
    const { db } = world.services;
    for (const minutes of [70, 1])
      await sql`insert into graphql_point_counts (subject_id, window_start, points)
        values (${randomUUID()}, ${minutesAgo(minutes)}, 1)`.execute(db);
    expect(await boundTables(world.services, [])).toBe(1);
    expect(await idsIn(sql`select subject_id::text as id from graphql_point_counts`)).toHaveLength(1);
  });

  test('counts of requests are forgotten an hour after their window', async () => {
    const { db } = world.services;
    await sql`insert into rate_limit_counts (subject_id, window_start, requests)
      select gen_random_uuid(), ${minutesAgo(70)}, 1 from generate_series(1, 5000)`.execute(db);
    await sql`insert into rate_limit_counts (subject_id, window_start, requests) values (${randomUUID()}, ${minutesAgo(1)}, 1)`.execute(
      db,
    );
    expect(await boundTables(world.services, [])).toBe(5_000);
    expect(await idsIn(sql`select subject_id::text as id from rate_limit_counts`)).toHaveLength(1);
  });

  test('bounds of organizations are those that the limits name', () => {
    expect(boundedTables.map(({ most: each }) => each)).toEqual([
      limits.notificationsKeptBytes,
      limits.webhookPayloadsKeptBytes,
      limits.uploadsKeptBytes,
      limits.testPlansKeptBytes,
      limits.idempotencyKeptBytes,
    ]);
  });
});

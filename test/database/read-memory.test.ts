import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { OpenDatabase } from '../../src/database/open.js';
import { NoRoomError, ReadMemory, type ReadShare } from '../../src/database/read-memory.js';
import { RequestReads } from '../../src/database/request-reads.js';
import { inTransaction } from '../../src/database/transaction.js';
import { freshDatabase, onPostgres } from '../support/database.js';

const KiB = 1024;
const MiB = 1024 * KiB;

let database: OpenDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

/** The reads of one request in a memory, with what it holds. */
function request(memory: ReadMemory, signal = new AbortController().signal) {
  const share = memory.share();
  const reads = new RequestReads({ signal, atOnce: 4, most: 100, share });
  return { share, db: reads.handle(database.db) };
}

/** Rows of 1 KiB each. */
const rows = (count: number) => sql<{ text: string }>`
  select n, repeat('x', 1024) as text from generate_series(1, ${count}::int) as n`;
const connection = async () =>
  onPostgres ? (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.db)).rows[0]?.pid : 0;

describe('bytes that a request reads', () => {
  test('a statement with more rows than its request may read is refused, and its connection reads on', async () => {
    const memory = new ReadMemory(MiB, 2 * MiB, 64 * KiB);
    const { db, share } = request(memory);
    expect((await rows(900).execute(db)).rows).toHaveLength(900);
    const before = await connection();
    await expect(rows(1_000).execute(db)).rejects.toMatchObject({ code: 'too_large', message: /more than 1 MiB/ });
    expect((await rows(10).execute(db)).rows).toHaveLength(10);
    expect(await connection()).toBe(before);
    expect(memory.counts.refused).toBe(1);
    share.release();
    expect(memory.used).toBe(0);
  });

  test('a statement that would send many times what its request may read ends early, and the database is at hand', async () => {
    const memory = new ReadMemory(MiB, 2 * MiB, 64 * KiB);
    for (const count of [30_000, 30_000]) {
      const { db, share } = request(memory);
      await expect(rows(count).execute(db)).rejects.toMatchObject({ code: 'too_large' });
      share.release();
    }
    expect((await rows(3).execute(database.db)).rows).toHaveLength(3);
    expect(memory.used).toBe(0);
  });

  test('one value that is larger than all that its request may read is refused', async () => {
    const { db } = request(new ReadMemory(MiB, 2 * MiB, 64 * KiB));
    await expect(sql`select repeat('x', 8000000) as text`.execute(db)).rejects.toMatchObject({ code: 'too_large' });
    expect((await rows(3).execute(db)).rows).toHaveLength(3);
  });

  test('a statement that fails reports its own error, and gives back what had arrived', async () => {
    const memory = new ReadMemory(MiB, 2 * MiB, KiB);
    const { db } = request(memory);
    const failing = sql`select repeat('x', 1024), 1 / (300 - n) from generate_series(1, 400) as n`;
    await expect(failing.execute(db)).rejects.toMatchObject({ code: '22012' });
    expect(memory.used).toBe(0);
  });

  test('a transaction that reads more than its request may is refused and rolled back', async () => {
    const memory = new ReadMemory(MiB, 2 * MiB, 64 * KiB);
    const share = memory.share();
    const work = inTransaction(
      database.db,
      'reads a lot',
      async (trx) => {
        await sql`insert into users (id, email, name, created_at) values (gen_random_uuid(), 'rolled@back.test', 'A', now())`.execute(
          trx,
        );
        await rows(20_000).execute(trx);
      },
      share,
    );
    await expect(work).rejects.toMatchObject({ code: 'too_large' });
    expect((await sql`select 1 from users where email = 'rolled@back.test'`.execute(database.db)).rows).toEqual([]);
    expect(memory.used).toBe(0);
  });
});

describe('requests that share the memory for rows', () => {
  test('requests that read little never wait, however much others hold', async () => {
    const memory = new ReadMemory(MiB, MiB, 128 * KiB);
    const large = request(memory);
    await rows(700).execute(large.db);
    await Promise.all(Array.from({ length: 20 }, () => rows(60).execute(request(memory).db)));
    expect(memory.counts.waits).toBe(0);
  });

  test('a statement without room waits without a connection, and is sent again when there is room', async () => {
    const memory = new ReadMemory(4 * MiB, 4 * MiB, 64 * KiB);
    const [first, second, third] = [request(memory), request(memory), request(memory)];
    await rows(3_000).execute(first.db);
    // May exceed the shared memory, since it waits for nobody.
    await rows(3_000).execute(second.db);
    const waiting = rows(3_000).execute(third.db);
    await vi.waitFor(() => expect(memory.waiting).toBe(1));
    expect((await sql`select 1`.execute(database.db)).rows).toHaveLength(1);
    second.share.release();
    expect((await waiting).rows).toHaveLength(3_000);
    first.share.release();
    third.share.release();
    expect([memory.used, memory.waiting]).toEqual([0, 0]);
  });

  test('a small request is served while large ones hold the memory and wait for more of it', async () => {
    const memory = new ReadMemory(16 * MiB, 16 * MiB, 64 * KiB);
    const control = new AbortController();
    const large = [0, 1, 2].map(() => request(memory, control.signal));
    const reads = large.map(({ db }) => rows(12_000).execute(db));
    // One or both of the others, as their rows arrive.
    await vi.waitFor(() => expect(memory.waiting).toBeGreaterThan(0));
    const small = request(memory);
    expect((await rows(900).execute(small.db)).rows).toHaveLength(900);
    expect(memory.waiting).toBeGreaterThan(0);
    small.share.release();
    control.abort(new Error('enough'));
    await Promise.allSettled(reads);
    for (const { share } of large) share.release();
    await vi.waitFor(() => expect([memory.used, memory.waiting]).toEqual([0, 0]));
  });

  test('a request that waits for room ends with its deadline', async () => {
    const memory = new ReadMemory(4 * MiB, 4 * MiB, 64 * KiB);
    const control = new AbortController();
    const [first, second, third] = [request(memory), request(memory), request(memory, control.signal)];
    await rows(3_000).execute(first.db);
    await rows(3_000).execute(second.db);
    const waiting = rows(3_000).execute(third.db);
    await vi.waitFor(() => expect(memory.waiting).toBe(1));
    control.abort(new Error('too late'));
    await expect(waiting).rejects.toThrow('too late');
    expect(memory.waiting).toBe(0);
  });

  test('requests that hold memory and want more always end, within the shared memory and one request', async () => {
    const [most, total, free] = [100, 150, 5];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 6 }), { maxLength: 12 }),
        async (plans) => {
          const memory = new ReadMemory(most * KiB, total * KiB, free * KiB);
          let highest = 0;
          const read = async (share: ReadShare, bytes: number) => {
            for (;;) {
              const meter = share.statement();
              const error = meter.arrived(bytes);
              highest = Math.max(highest, memory.used);
              if (!error) return true;
              meter.giveBack();
              if (!(error instanceof NoRoomError)) return false;
              await share.waitForRoom(bytes, new AbortController().signal);
            }
          };
          await Promise.all(
            plans.map(async (plan) => {
              const share = memory.share();
              for (const size of plan) {
                await sleep(0);
                if (!(await read(share, size * KiB))) break;
              }
              share.release();
            }),
          );
          expect([memory.used, memory.waiting]).toEqual([0, 0]);
          expect(highest).toBeLessThanOrEqual((total + most) * KiB + 256 * KiB);
        },
      ),
      { numRuns: 50 },
    );
  });
});

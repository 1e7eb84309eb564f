import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely';
import { DatabaseUnavailableError } from '../../src/database/faults.js';
import { positionOf, ReadReplica } from '../../src/database/read-replica.js';
import { handleOver } from '../../src/database/handle-over.js';
import { limits } from '../../src/domain/limits/limits.js';
import type { Db } from '../../src/entities/database.js';
import { freshDatabase } from '../support/database.js';

interface Facts {
  position: string;
  standby?: boolean;
  system: string;
  database: string;
  timeline: string;
}

/** A server that says this of itself, or fails. */
class SaidServer {
  facts: Facts | Error;
  readonly statements: string[] = [];

  constructor(facts: Facts) {
    this.facts = facts;
  }

  handle(base: Db): Db {
    const connection: DatabaseConnection = {
      executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
        this.statements.push(query.sql);
        if (this.facts instanceof Error) throw this.facts;
        return { rows: [this.facts as unknown as R] };
      },
      streamQuery: () => {
        throw new Error('nothing is streamed');
      },
    };
    return handleOver(base, { provideConnection: (consumer) => consumer(connection) });
  }
}

const server: Facts = { position: '0/1000', system: '7', database: '5', timeline: '00000001' };

describe('a read replica', () => {
  let base: Awaited<ReturnType<typeof freshDatabase>>;
  let primary: SaidServer;
  let standby: SaidServer;
  let replica: ReadReplica;
  let changes: [string, string][];
  beforeAll(async () => (base = await freshDatabase()));
  afterAll(() => base.close());
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    primary = new SaidServer(server);
    standby = new SaidServer({ ...server, standby: true });
    changes = [];
    replica = new ReadReplica({
      connections: standby.handle(base.db),
      primary: primary.handle(base.db),
      readsAtOnce: 2,
      onChange: (state, reason) => changes.push([state, reason]),
    });
  });
  afterEach(() => vi.useRealTimers());

  const told = (position: string) => ({ ...server, standby: true, position });
  const read = (failure?: Error) =>
    replica.read(
      async () => {
        if (failure) throw failure;
        return 'replica';
      },
      async () => 'primary',
    );

  test('is read from its first answer on, and not before', async () => {
    expect(await read()).toBe('primary');
    await replica.probe();
    expect(await read()).toBe('replica');
    expect(replica.counts).toEqual({ replica: 1, primary: 1 });
    expect(changes).toEqual([['ok', '']]);
  });

  test('is as fresh as the last moment whose position it has reached, also while nothing is written', async () => {
    await replica.probe();
    vi.advanceTimersByTime(limits.readReplicaLagMs + 1);
    expect([replica.current(), await read()]).toEqual(['late', 'primary']);
    await replica.probe();
    expect([replica.current(), replica.lagMs()]).toEqual(['ok', 0]);
    primary.facts = { ...server, position: '1/0' };
    for (let second = 0; second < 4; second += 1) {
      vi.advanceTimersByTime(1_000);
      await replica.probe();
    }
    expect([replica.current(), replica.lagMs()]).toEqual(['ok', 4_000]);
    vi.advanceTimersByTime(2_000);
    await replica.probe();
    expect([replica.current(), replica.lagMs()]).toEqual(['late', 6_000]);
    expect(changes.at(-1)).toEqual(['late', 'it is 6 s behind']);
    standby.facts = told('1/0');
    await replica.probe();
    expect([replica.current(), replica.lagMs()]).toEqual(['ok', 0]);
  });

  test('is not fresh because it was trusted before: one that is far behind at the start is late', async () => {
    primary.facts = { ...server, position: '2/0' };
    await replica.probe();
    expect([replica.current(), replica.lagMs()]).toEqual(['late', Infinity]);
    expect(changes).toEqual([['late', 'how far it is behind is not known yet']]);
  });

  test.each<[string, Partial<Facts>, RegExp]>([
    ['takes changes itself', { standby: false }, /takes changes itself/],
    ['follows another server', { system: '8' }, /another server/],
    ['has another database', { database: '6' }, /another one of the server/],
    ['follows a history that the primary left', { timeline: '00000002' }, /does not follow the history/],
  ])('that %s is not read', async (_title, difference, reason) => {
    await replica.probe();
    standby.facts = { ...told('F/0'), ...difference };
    await replica.probe();
    expect([replica.current(), await read()]).toEqual(['unavailable', 'primary']);
    expect(changes.at(-1)).toEqual(['unavailable', expect.stringMatching(reason)]);
  });

  test('that is away is left out until it answers again, and so it is while the primary is', async () => {
    await replica.probe();
    for (const each of [standby, primary]) {
      const before = each.facts;
      each.facts = new Error('away');
      await replica.probe();
      expect([replica.current(), await read()]).toEqual(['unavailable', 'primary']);
      each.facts = before;
      await replica.probe();
      expect([replica.current(), await read()]).toEqual(['ok', 'replica']);
    }
  });

  test('that fails a read has it done on the primary; one that cannot be reached is left out at once', async () => {
    await replica.probe();
    const conflict = Object.assign(new Error('canceling statement due to conflict with recovery'), { code: '40001' });
    expect([await read(conflict), replica.current()]).toEqual(['primary', 'ok']);
    const missing = Object.assign(new Error('column does not exist'), { code: '42703' });
    expect([await read(missing), replica.current()]).toEqual(['primary', 'ok']);
    expect([await read(new DatabaseUnavailableError('lost')), replica.current()]).toEqual(['primary', 'unavailable']);
  });

  test('does not have a read done again that the request refuses, such as one with too many bytes', async () => {
    await replica.probe();
    const refusal = new Error('too large');
    const again = vi.fn(async () => 'primary');
    await expect(
      replica.read(
        () => Promise.reject(refusal),
        again,
        (error) => error === refusal,
      ),
    ).rejects.toBe(refusal);
    expect(again).not.toHaveBeenCalled();
  });

  test('reads statements of a handle on its own connections, and on those of the primary while it is late', async () => {
    await replica.probe();
    const handle = replica.handle(primary.handle(base.db));
    await handle.executeQuery(CompiledQuery.raw('select 1'));
    expect([standby.statements.at(-1), primary.statements.includes('select 1')]).toEqual(['select 1', false]);
    replica.distrust('another server');
    await handle.executeQuery(CompiledQuery.raw('select 2'));
    expect([primary.statements.at(-1), standby.statements.includes('select 2')]).toEqual(['select 2', false]);
  });
});

test.each<[string, bigint]>([
  ['0/0', 0n],
  ['0/FFFFFFFF', 0xffffffffn],
  ['1/0', 0x100000000n],
  ['16/B374D848', 0x16b374d848n],
])('the position %s of a write-ahead log is %d', (text, number) => expect(positionOf(text)).toBe(number));

import { setTimeout as sleep } from 'node:timers/promises';
import type { SecretKeys } from '../../src/auth/secret-keys.js';
import { downloadLink } from '../../src/resources/builds/artifacts/links.js';
import { agentToken, Replica, secretKey, userToken } from '../replicas/installation.js';
import { noPostgres, temporaryDirectory } from '../support/database.js';
import { CuttingProxy } from './cutting-proxy.js';
import { OwnPostgres, postgresPrograms } from './own-postgres.js';
import { newRecord, type Record, write } from './writers.js';
import { describeUnless } from '../support/skips.js';

const programs = postgresPrograms();
const writers = 16;
const recoveryMs = 10_000;
const stopSeconds = Number(process.env['FAULTS_STOP_SECONDS'] ?? 20);

// Part of the suites on PostgreSQL; it starts a server of its own, so that none that others use is disturbed.
const reason = programs === null ? 'its programs are not installed' : noPostgres;
describeUnless(reason, 'PostgreSQL that fails', () => {
  const directory = temporaryDirectory();
  let postgres: OwnPostgres;
  let proxy: CuttingProxy;
  let replica: Replica;
  const figures: string[] = [];

  beforeAll(async () => {
    postgres = await OwnPostgres.start(programs ?? '');
    proxy = await CuttingProxy.start(postgres.port);
    replica = await Replica.start(directory.path, {
      DATABASE_URL: `postgres://slipway@127.0.0.1:${proxy.port}/postgres`,
      DATA_DIR: directory.path,
      DATABASE_POOL_SIZE: '10',
    });
    const reply = await ask('/v2/organizations/acme/pipelines', {
      method: 'POST',
      ...asUser,
      body: JSON.stringify({
        name: 'deploy',
        repository: 'https://example.com/app.git',
        configuration: 'steps: [{command: "true"}]',
      }),
    });
    expect(reply.status).toBe(201);
  }, 120_000);
  afterAll(async () => {
    await replica?.stop();
    proxy?.close();
    postgres?.remove();
    directory.remove();
    process.stdout.write(`${figures.map((line) => `faults: ${line}`).join('\n')}\n`);
  }, 60_000);

  const asUser = { headers: { Authorization: `Bearer ${userToken}`, 'Content-Type': 'application/json' } };
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(replica.url + path, { signal: AbortSignal.timeout(30_000), ...init });
  /** As a check finds now; /healthz may answer from one that is a second old. */
  const isHealthy = async () => (await ask('/readyz').catch(() => null))?.status === 200;

  /** Milliseconds until the server is healthy and writes again. */
  async function recovery(): Promise<number> {
    const start = Date.now();
    while (!(await isHealthy())) {
      if (Date.now() - start > 3 * recoveryMs) throw new Error('not healthy again');
      await sleep(50);
    }
    return Date.now() - start;
  }

  /** Connections that the metrics say are in use. */
  async function connectionsInUse(): Promise<number> {
    const text = await (await ask('/metrics')).text();
    const used = [...text.matchAll(/slipway_database_connections\{lane="(\w+)",state="used"\} (\d+)/g)];
    expect(used).toHaveLength(4);
    return used.reduce((sum, [, , count]) => sum + Number(count), 0);
  }

  async function rows(): Promise<Map<string, number>> {
    const counts = await postgres.query<{ message: string; count: number }>(
      'select message, count(*)::int as count from builds group by message',
    );
    return new Map(counts.map(({ message, count }) => [message, count]));
  }

  /**
   * Runs the fault under 16 writers; nothing is doubled or lost, nobody gets 500, and every connection is given back.
   */
  async function underWriters(name: string, keys: boolean, fault: () => Promise<string>): Promise<Record> {
    const record = newRecord();
    const stop = new AbortController();
    const running = Array.from({ length: writers }, (_, index) =>
      write(replica.url, `${name}-${index}`, record, stop.signal, { keys }),
    );
    const acknowledged = async (more: number) => {
      for (
        const goal = record.acknowledged.size + more, deadline = Date.now() + 30_000;
        record.acknowledged.size < goal && Date.now() < deadline;
      )
        await sleep(20);
    };
    await acknowledged(writers);
    const outcome = await fault();
    await acknowledged(writers);
    stop.abort();
    await Promise.all(running);
    const counts = await rows();
    const doubled = [...record.sent].filter((message) => (counts.get(message) ?? 0) > 1);
    const lost = [...record.acknowledged].filter((message) => !counts.has(message));
    const replies = [...record.replies]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ');
    figures.push(
      `${name}: ${record.acknowledged.size} writes acknowledged, ${replies}, ${doubled.length} doubled, ${lost.length} lost; ${outcome}`,
    );
    expect({ wrong: record.wrong, doubled, lost }).toEqual({ wrong: [], doubled: [], lost: [] });
    // The background uses connections for moments at a time; one that leaked is in use at every look.
    await vi.waitUntil(async () => (await connectionsInUse()) === 0, { timeout: 5_000, interval: 20 });
    return record;
  }

  test('a COMMIT whose answer is lost is neither repeated nor reported as failed, and one that never arrived is', async () => {
    const before = { ...proxy.cuts };
    // Without idempotency keys: nothing but the product itself keeps a write from being made twice.
    const record = await underWriters('commit cut', false, async () => {
      proxy.cutEvery(4);
      for (const deadline = Date.now() + 30_000; proxy.cuts.after - before.after < 12 && Date.now() < deadline;)
        await sleep(20);
      proxy.cutEvery(0);
      return `${proxy.cuts.after - before.after} cut after the server had COMMIT, ${proxy.cuts.before - before.before} before`;
    });
    expect(proxy.cuts.after - before.after).toBeGreaterThanOrEqual(12);
    expect(proxy.cuts.before - before.before).toBeGreaterThanOrEqual(11);
    expect([...record.replies.keys()]).toEqual([201]);
    expect(record.acknowledged.size).toBe(record.sent.size);
  }, 120_000);

  test('health checks and agents have connections however many queries wait', async () => {
    const blocker = await postgres.connect();
    let queries: Promise<number>[] = [];
    try {
      await blocker.query('begin; lock table builds in access exclusive mode');
      queries = Array.from({ length: 40 }, async () => (await ask('/v2/organizations/acme/builds', asUser)).status);
      const waiting = async () =>
        (
          await postgres.query(
            `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%builds%'`,
          )
        ).length;
      for (const deadline = Date.now() + 10_000; (await waiting()) < 6 && Date.now() < deadline;) await sleep(20);
      expect(await connectionsInUse()).toBeGreaterThanOrEqual(6);
      const start = Date.now();
      const statuses = await Promise.all(
        [ask('/healthz'), ask('/v3/ping', { headers: { Authorization: 'Token nobody' } })].map(
          async (reply) => (await reply).status,
        ),
      );
      const took = Date.now() - start;
      figures.push(`40 queries that wait for a lock: health and agents answered within ${took} ms`);
      expect(statuses).toEqual([200, 401]);
      expect(took).toBeLessThan(2_000);
    } finally {
      await blocker.end();
    }
    expect(new Set(await Promise.all(queries))).toEqual(new Set([200]));
  }, 60_000);

  test('every connection may be killed ten times, and no pool slot is lost', async () => {
    await underWriters('killed', true, async () => {
      let slowest = 0;
      let killed = 0;
      for (let round = 0; round < 10; round += 1) {
        const [row] = await postgres.query<{ count: number }>(
          'select count(pg_terminate_backend(pid))::int as count from pg_stat_activity where pid <> pg_backend_pid() and backend_type = $1',
          ['client backend'],
        );
        killed += row?.count ?? 0;
        slowest = Math.max(slowest, await recovery());
        await sleep(100);
      }
      expect(killed).toBeGreaterThanOrEqual(10);
      expect(slowest).toBeLessThan(recoveryMs);
      return `${killed} connections killed in 10 rounds, healthy after ${slowest} ms at most`;
    });
  }, 120_000);

  test('a restart without a shutdown is survived', async () => {
    await underWriters('restarted', true, async () => {
      postgres.stop();
      postgres.start();
      const healthy = await recovery();
      expect(healthy).toBeLessThan(recoveryMs);
      return `healthy after ${healthy} ms`;
    });
  }, 120_000);

  test('while the database is stopped every surface answers 503 with Retry-After, and works within ten seconds of its return', async () => {
    await underWriters('stopped', true, async () => {
      postgres.stop();
      const start = Date.now();
      try {
        await expectUnavailable();
        await sleep(Math.max(0, stopSeconds * 1000 - (Date.now() - start)));
        expect(await isHealthy()).toBe(false);
      } finally {
        // The tests after this one need it.
        postgres.start();
      }
      const healthy = await recovery();
      expect(healthy).toBeLessThan(recoveryMs);
      return `stopped for ${stopSeconds} s, healthy after ${healthy} ms`;
    });
  }, 180_000);

  async function expectUnavailable(): Promise<void> {
    const artifact = { id: '01900000-0000-7000-8000-000000000000', uploadDestination: null, url: null };
    const keys: SecretKeys = { current: secretKey, previous: null };
    const services = { baseUrl: '', secretKey: keys } as never;
    const link = downloadLink({ services, now: new Date() }, artifact, 600) ?? '';
    const push = {
      'Content-Type': 'application/json',
      'X-GitHub-Event': 'push',
      'X-GitHub-Delivery': '0b2f5a5c-0000-4000-8000-000000000000',
      'X-Hub-Signature-256': 'sha256=00',
    };
    const surfaces: [string, RequestInit][] = [
      // /healthz may answer from a check of the second before.
      ['/readyz', {}],
      ['/v2/user', asUser],
      ['/graphql', { method: 'POST', ...asUser, body: '{"query":"{viewer{id}}"}' }],
      ['/v3/ping', { headers: { Authorization: 'Token a-session-token' } }],
      [
        '/v3/register',
        {
          method: 'POST',
          headers: { Authorization: `Token ${agentToken}`, 'Content-Type': 'application/json' },
          body: '{"name":"a"}',
        },
      ],
      [
        '/v1/uploads',
        {
          method: 'POST',
          headers: { Authorization: 'Token token="a-suite-token"', 'Content-Type': 'application/json' },
          body: '{}',
        },
      ],
      [link, {}],
      [`/webhooks/deliver/${'0'.repeat(50)}`, { method: 'POST', headers: push, body: '{}' }],
      [`/badge/${'0'.repeat(50)}.svg`, {}],
    ];
    const replies = await Promise.all(
      surfaces.map(async ([path, init]) => {
        const reply = await ask(path, init);
        return [path, reply.status, reply.headers.get('retry-after')];
      }),
    );
    expect(replies).toEqual(surfaces.map(([path]) => [path, 503, expect.stringMatching(/^\d+$/)]));
  }

  test('the server survives a database that freezes and continues', async () => {
    await underWriters('stalled', true, async () => {
      postgres.signal('SIGSTOP');
      try {
        const healthy = await isHealthy();
        expect(healthy).toBe(false);
      } finally {
        postgres.signal('SIGCONT');
      }
      const healthy = await recovery();
      expect(healthy).toBeLessThan(recoveryMs);
      return `healthy after ${healthy} ms`;
    });
  }, 120_000);

  test('health checks get through on new connections while every open one is dead without a word', async () => {
    proxy.freeze();
    const healthy = await recovery();
    figures.push(`frozen connections: healthy after ${healthy} ms`);
    expect(healthy).toBeLessThan(recoveryMs);
  }, 60_000);
});

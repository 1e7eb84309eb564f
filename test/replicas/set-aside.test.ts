import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { describeOnPostgres, migrateDataDirectory, temporaryDirectory } from '../support/database.js';
import { builtProgram } from '../support/program.js';
import { ownDatabase, queryAll } from './evidence.js';
import { Replica, secretKey, userToken } from './installation.js';

const run = promisify(execFile);
const culprits = 9;
const patience = { timeout: 60_000, interval: 100 };

async function api(replica: Replica, method: string, path: string, body?: object) {
  const reply = await fetch(`${replica.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${userToken}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`);
  // The tests look into replies of every shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  return (text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text) as any;
}
const pipeline = (replica: Replica, name: string, configuration: string) =>
  api(replica, 'POST', '/v2/organizations/acme/pipelines', {
    name,
    repository: 'https://github.com/acme/app.git',
    configuration,
  });
const build = (replica: Replica, slug: string) =>
  api(replica, 'POST', `/v2/organizations/acme/pipelines/${slug}/builds`, { commit: 'HEAD', branch: 'main' });

/** Runs `slipway set-aside` on the database of a server. */
async function setAside(env: Record<string, string>, ...args: string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [builtProgram(), 'set-aside', ...args, '--json'], {
    env: { PATH: process.env['PATH'], SECRET_KEY: secretKey, ...env },
  });
  return JSON.parse(stdout);
}

/** A receiver of webhooks that kills the server whenever a culprit's event comes, however often it is started again. */
async function openReceiver(
  kill: (path: string) => void,
): Promise<{ url: string; received: string[]; server: Server }> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(request.url ?? '');
    if (request.headers['x-buildkite-event'] !== 'ping' && request.url?.startsWith('/culprit')) kill(request.url);
    else response.end();
    request.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, server };
}

/** States of all deliveries of all services. */
async function statesOfDeliveries(replica: Replica): Promise<Set<string>> {
  const listed = await api(replica, 'GET', '/v2/organizations/acme/services');
  const services: { id: string }[] = Array.isArray(listed) ? listed : listed.items;
  const deliveries = await Promise.all(
    services.map(({ id }) => api(replica, 'GET', `/v2/organizations/acme/services/${id}/deliveries`)),
  );
  return new Set(deliveries.flat().map(({ state }: { state: string }) => state));
}

/** Ten kills by deliveries, and the start after them. `died` makes claims older, as time would. */
async function runDeliveryStory(replica: Replica, died: () => Promise<void>): Promise<void> {
  let kills = 0;
  let killed: Promise<void> | null = null;
  // Milliseconds of what happened, for whoever reads that one death more was needed.
  const story: string[] = [];
  const began = Date.now();
  const tell = (what: string) => void story.push(`${what} ${Date.now() - began}`);
  const { url, received, server } = await openReceiver((path) => {
    tell(`${killed ? 'also ' : ''}${path}`);
    killed ??= replica.kill();
    kills += 1;
  });
  try {
    await pipeline(replica, 'App', 'steps: [{ command: "true" }]');
    for (const name of ['good', ...Array.from({ length: culprits }, (_, n) => `culprit-${n}`)])
      await api(replica, 'POST', '/v2/organizations/acme/services', {
        provider: 'webhook',
        description: name,
        settings: { url: `${url}/${name}`, events: ['build.scheduled'] },
      });
    await vi.waitFor(() => expect(new Set(received).size).toBe(culprits + 1), patience);
    // With a ping under way the events of the build would be taken in two batches, and one death more would be needed.
    await vi.waitFor(async () => expect(await statesOfDeliveries(replica)).toEqual(new Set(['delivered'])), patience);
    await build(replica, 'app').catch(() => undefined);
    let deaths = 0;
    for (; deaths <= culprits; deaths += 1) {
      await vi.waitFor(() => expect(killed).not.toBeNull(), patience);
      await killed;
      await died();
      killed = null;
      tell('restart');
      await replica.restart();
    }
    expect(deaths).toBe(10);
    await vi.waitFor(async () => {
      expect(killed, story.join(', ')).toBeNull();
      const ready = await api(replica, 'GET', '/readyz');
      expect(ready).toMatchObject({ status: 'ready', background: 'set_aside' });
      expect(ready.message).toContain(`(${culprits})`);
    }, patience);
    const before = kills;
    expect(await api(replica, 'GET', '/metrics')).toContain(
      `slipway_background_set_aside{task="notifications"} ${culprits}`,
    );
    const listed = await api(replica, 'GET', '/v2/organizations/acme/services');
    const services = Array.isArray(listed) ? listed : listed.items;
    for (const { id, description } of services)
      // One that was under way at the last death is due again when its lease has ended.
      await vi.waitFor(async () => {
        const deliveries = await api(replica, 'GET', `/v2/organizations/acme/services/${id}/deliveries`);
        const ended = deliveries.filter(({ event }: { event: string }) => event === 'build.scheduled');
        expect(ended.map(({ state }: { state: string }) => state)).toEqual([
          description === 'good' ? 'delivered' : 'failed',
        ]);
      }, patience);
    expect(replica.errors().join('\n')).toContain('slipway set-aside release');
    expect(kills).toBe(before);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const allow = { OUTBOUND_ALLOW: '127.0.0.0/8' };

describe('deliveries that end the process, on the embedded database', () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let env: { DATA_DIR: string };
  let replica: Replica;
  // Another try begins anew: what the first has killed serves nobody.
  beforeEach(async () => {
    directory = temporaryDirectory();
    env = { DATA_DIR: directory.path };
    await migrateDataDirectory(directory.path);
    replica = await Replica.start(directory.path, { ...env, ...allow });
  }, 90_000);
  afterEach(async () => {
    await replica.kill();
    directory.remove();
  });

  test('killed ten times, the server stays up at the eleventh start, says what it has set aside, and a command releases it', async () => {
    await runDeliveryStory(replica, async () => undefined);
    await replica.stop();
    expect(await setAside(env, 'list')).toHaveLength(culprits);
    expect(await setAside(env, 'release', '--all')).toHaveLength(culprits);
    expect(await setAside(env, 'list')).toEqual([]);
  }, 280_000);
});

describeOnPostgres('work that ends the process, on PostgreSQL', () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let own: Awaited<ReturnType<typeof ownDatabase>>;
  let replica: Replica;
  // Each test, and each other try at it, begins anew: a server that was killed serves nobody.
  beforeEach(async () => {
    directory = temporaryDirectory();
    own = await ownDatabase(process.env['TEST_DATABASE_URL'] ?? '', `slipway_aside_${process.pid}_${Date.now()}`);
    replica = await Replica.start(directory.path, { DATABASE_URL: own.url, DATA_DIR: directory.path, ...allow });
  }, 90_000);
  afterEach(async () => {
    await replica.kill();
    await own.drop();
    directory.remove();
  });
  const died = async () => {
    await queryAll(own.url, `update work_claims set seen_at = seen_at - interval '1 minute'`);
  };

  test('killed ten times by deliveries, the server stays up at the eleventh start and says what it has set aside', async () => {
    await runDeliveryStory(replica, died);
  }, 280_000);

  /**
   * Holds rows, so that the work of a task waits in the middle of it, and kills the server there, twice; `begin` makes
   * the work due. Then waits until the next start has set it aside.
   */
  async function killTwice(task: string, held: string, begin: () => Promise<unknown>): Promise<void> {
    for (let death = 0; death < 2; death += 1) {
      const holder = new pg.Client({ connectionString: own.url });
      await holder.connect();
      try {
        await holder.query('begin');
        const holding = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
        await holder.query(held);
        if (death === 0) await begin();
        else await replica.restart();
        await vi.waitFor(async () => {
          const rows = await queryAll<{ waits: boolean }>(
            own.url,
            // A claim of the process before, which nobody has recovered yet, says nothing about this one.
            `select exists (select from work_claims where task = $1 and seen_at > clock_timestamp() - interval '30 s')
               and exists (select from pg_stat_activity where $2 = any(pg_blocking_pids(pid))) as waits`,
            [task, holding.rows[0]!.pid],
          );
          expect(rows[0]?.waits).toBe(true);
        }, patience);
        await replica.kill();
      } finally {
        // The database learns of the death only once it has answered.
        await holder.end();
      }
      await died();
    }
    await replica.restart();
    await vi.waitFor(
      async () =>
        expect(await api(replica, 'GET', '/metrics')).toContain(`slipway_background_set_aside{task="${task}"} 1`),
      patience,
    );
  }

  test('a trigger job, a schedule and an inbound delivery during which it died twice are set aside, and say so', async () => {
    await pipeline(replica, 'Child', 'steps: [{ command: "true" }]');
    await pipeline(replica, 'Parent', 'steps: [{ trigger: child }]');
    const held = `select id from pipelines where slug = 'child' for update`;
    await killTwice('outbox', held, () => build(replica, 'parent'));
    const [parent] = await queryAll<{ state: string }>(
      own.url,
      `select b.state from builds b join pipelines p on p.id = b.pipeline_id where p.slug = 'parent'`,
    );
    expect(parent?.state).toBe('failed');

    const [child] = await queryAll<{ id: string; organization_id: string }>(
      own.url,
      `select id, organization_id from pipelines where slug = 'child'`,
    );
    await killTwice('schedules', held, () =>
      queryAll(
        own.url,
        `insert into pipeline_schedules (id, organization_id, pipeline_id, label, cronline, commit, branch, enabled, next_build_at, created_at)
         values (gen_random_uuid(), $1, $2, 'Nightly', '@daily', 'HEAD', 'main', true, now(), now())`,
        [child!.organization_id, child!.id],
      ),
    );
    expect(await queryAll(own.url, 'select enabled, failed_message from pipeline_schedules')).toEqual([
      { enabled: false, failed_message: expect.stringContaining('set aside') as string },
    ]);

    const [delivery] = await queryAll<{ id: string }>(
      own.url,
      `insert into webhook_deliveries (id, organization_id, pipeline_id, sender, event, delivery_id, headers, payload, created_at)
       values (gen_random_uuid(), $1, $2, 'github', 'push', 'd', '[]', '{}', now()) returning id`,
      [child!.organization_id, child!.id],
    );
    await killTwice('webhook-processing', 'select id from webhook_deliveries for update', () =>
      queryAll(
        own.url,
        `insert into outbox_messages (id, organization_id, topic, payload, available_at, created_at)
         values (gen_random_uuid(), $1, 'webhook.process', jsonb_build_object('deliveryId', $2::text), now(), now())`,
        [child!.organization_id, delivery!.id],
      ),
    );
    expect(await queryAll(own.url, 'select outcome, reason from webhook_deliveries')).toEqual([
      { outcome: 'failed', reason: expect.stringContaining('set aside') as string },
    ]);
    const env = { DATABASE_URL: own.url, DATA_DIR: directory.path };
    const list = (await setAside(env, 'list')) as { id: string; task: string }[];
    expect(new Set(list.map(({ task }) => task))).toEqual(new Set(['outbox', 'schedules', 'webhook-processing']));
    const one = list.find(({ task }) => task === 'schedules')!;
    expect(await setAside(env, 'release', one.id)).toMatchObject([{ id: one.id }]);
    expect(await queryAll(own.url, 'select enabled from pipeline_schedules')).toEqual([{ enabled: true }]);
  }, 280_000);
});

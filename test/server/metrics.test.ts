import type { Express } from 'express';
import { sql } from 'kysely';
import { asSystem } from '../../src/core/system-transaction.js';
import { cancelBuild } from '../../src/operations/builds/cancel.js';
import { deleteQueue } from '../../src/operations/agents/queues/delete.js';
import { lockJob } from '../../src/engine/builds/lock-job.js';
import { endJob } from '../../src/engine/builds/end-job.js';
import { temporaryDirectory } from '../support/database.js';
import { agentApp, buildOf, jobNow, ScriptedAgent } from '../support/scripted-agent.js';
import { Scrape } from '../support/scrape.js';
import { sweepWholeStorage } from '../support/sweep-storage.js';
import { World } from '../support/world.js';

const queue = 'cluster="Default cluster",queue="default"';
const macos = 'cluster="Default cluster",queue="macos"';

describe('metrics of builds, jobs and agents', () => {
  let world: World;
  let app: Express;
  beforeEach(async () => {
    world = await World.create();
    app = agentApp(world);
  });
  afterEach(() => world.close());

  const countsOf = async (column: 'build' | 'job') => {
    const outcome =
      column === 'build'
        ? sql`select state as outcome from builds where finished_at is not null`
        : sql`select case when state <> 'finished' then state when passed then 'passed' when soft_failed then 'soft_failed'
            else 'failed' end as outcome
            from jobs where type in ('command', 'trigger')
              and state in ('finished', 'canceled', 'expired', 'timed_out', 'skipped', 'broken')
              and id in (select job_id from events)`;
    const { rows } = await sql<{ outcome: string; count: number }>`
      select outcome, count(*)::int as count from (${outcome}) as o group by 1`.execute(world.services.db);
    return Object.fromEntries(rows.map(({ outcome: name, count }) => [`outcome="${name}"`, count]));
  };

  test('what ended, and how long it waited and ran, is what the rows say', async () => {
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    await buildOf(world, 'steps: [{ command: "a" }, { command: "b", soft_fail: true }, wait, { command: "c" }]');
    const canceled = await buildOf(world, 'steps: [{ command: "d" }, { command: "e", agents: { queue: macos } }]');
    await buildOf(world, 'steps: [{ command: "never", if: "false" }, { command: "f", if: "false" }]');
    const exitStatuses: Record<string, string> = { a: '0', b: '3', c: '1', d: '0' };
    for (let count = 0; count < 4; count += 1) {
      world.clock.advance(20);
      const job = await agent.takeJob();
      world.clock.advance(100);
      const { command } = await jobNow(world, job);
      await agent.finish(job, { exit_status: exitStatuses[command ?? ''] }).expect(200);
    }
    const { id } = canceled.build;
    await world.perform(world.admin, cancelBuild, { build: { id } });
    const scrape = await Scrape.of(world);
    const [builds, jobs] = [await countsOf('build'), await countsOf('job')];
    expect(builds).toMatchObject({ 'outcome="failed"': 1, 'outcome="canceled"': 1 });
    expect(jobs).toMatchObject({ 'outcome="passed"': 2, 'outcome="soft_failed"': 1, 'outcome="failed"': 1 });
    // A job whose `if` is false from the start never had another state.
    expect(jobs['outcome="broken"']).toBeUndefined();
    expect(scrape.series('slipway_builds_finished_total')).toEqual(builds);
    expect(scrape.series('slipway_jobs_finished_total')).toEqual(jobs);
    expect(scrape.value('slipway_builds_finished_total{outcome="passed"}')).toBe(0);

    const { rows } = await sql<{ waits: number; runs: number; wait: number; run: number }>`
      select count(assigned_at)::int as waits, count(started_at)::int as runs,
        sum(extract(epoch from assigned_at - runnable_at))::float8 as wait,
        sum(extract(epoch from finished_at - started_at))::float8 as run
      from jobs where type = 'command'`.execute(world.services.db);
    const [sums] = rows;
    expect(sums?.waits).toBe(4);
    expect(scrape.value(`slipway_job_wait_seconds_count{${queue}}`)).toBe(sums?.waits);
    expect(scrape.value(`slipway_job_wait_seconds_sum{${queue}}`)).toBe(sums?.wait);
    expect(scrape.value(`slipway_job_duration_seconds_count{${queue}}`)).toBe(sums?.runs);
    expect(scrape.value(`slipway_job_duration_seconds_sum{${queue}}`)).toBe(sums?.run);
    expect(scrape.value(`slipway_job_duration_seconds_bucket{${queue},le="60"}`)).toBe(0);
    expect(scrape.value(`slipway_job_duration_seconds_bucket{${queue},le="120"}`)).toBe(4);
    expect(scrape.value(`slipway_job_duration_seconds_bucket{${queue},le="+Inf"}`)).toBe(4);
  });

  test('what a transaction takes back is not counted', async () => {
    const { first } = await buildOf(world, 'steps: [{ command: "a" }]');
    const end = (outcome: () => void) =>
      asSystem(world.services, 'test', async (context) => {
        const locked = await lockJob(context, first);
        if (!locked) throw new Error('the job is gone');
        await endJob(context, locked.build, locked.job, { event: 'cancel', exitStatus: null, reason: 'test' });
        outcome();
      });
    await expect(
      end(() => {
        throw new Error('taken back');
      }),
    ).rejects.toThrow('taken back');
    expect((await Scrape.of(world)).series('slipway_jobs_finished_total')).toEqual({});
    await end(() => undefined);
    expect((await Scrape.of(world)).series('slipway_jobs_finished_total')).toEqual({ 'outcome="canceled"': 1 });
  });

  test('agents and jobs of queues are those that scalers read of /v3/metrics, under the names of the field', async () => {
    const [busy, idle, paused] = [
      await ScriptedAgent.connected(app, world.agentToken),
      await ScriptedAgent.connected(app, world.agentToken, { meta_data: ['queue=macos'] }),
      await ScriptedAgent.connected(app, world.agentToken, { meta_data: ['queue=macos'] }),
    ];
    await buildOf(
      world,
      'steps: [{ command: "a" }, { command: "b" }, wait, { command: "c", agents: { queue: macos } }]',
    );
    await busy.takeJob();
    await sql`update agents set paused_at = ${world.clock.now()} where id = ${paused.id}`.execute(world.services.db);
    const { body } = await idle.call('get', '/metrics', world.agentToken).expect(200);
    const scrape = await Scrape.of(world);
    for (const [labels, key] of [
      [queue, 'default'],
      [macos, 'macos'],
    ] as const) {
      const of = (name: string) => scrape.value(`buildkite_queues_${name}{${labels}}`);
      const { agents, jobs } = { agents: body.agents.queues[key], jobs: body.jobs.queues[key] };
      expect({ idle: of('idle_agent_count'), busy: of('busy_agent_count'), total: of('total_agent_count') }).toEqual(
        agents,
      );
      expect({
        scheduled: of('scheduled_jobs_count'),
        running: of('running_jobs_count'),
        waiting: of('waiting_jobs_count'),
        total: of('unfinished_jobs_count'),
      }).toEqual(jobs);
    }
    const total = (name: string) => scrape.value(`buildkite_total_${name}{cluster="Default cluster"}`);
    expect([total('unfinished_jobs_count'), total('total_agent_count')]).toEqual([body.jobs.total, body.agents.total]);
    expect(total('busy_agent_percentage')).toBeCloseTo(100 / 3);
    expect(scrape.series('slipway_agents')).toEqual({
      [`${queue},state="busy"`]: 1,
      [`${macos},state="idle"`]: 1,
      [`${macos},state="paused"`]: 1,
    });
  });

  test('a queue that is deleted has no series any more, and clusters of one name are told apart', async () => {
    const agent = await ScriptedAgent.connected(app, world.agentToken, { meta_data: ['queue=macos'] });
    await buildOf(world, 'steps: [{ command: "a", agents: { queue: macos } }]');
    await agent.finish(await agent.takeJob()).expect(200);
    const { id: organizationId } = await world.services.db
      .selectFrom('organizations')
      .select('id')
      .where('slug', '=', 'other')
      .executeTakeFirstOrThrow();
    const clusterId = await world.insert('clusters', { organizationId, name: 'Default cluster' });
    await world.insert('cluster_queues', { organizationId, clusterId, key: 'default' });
    const before = await Scrape.of(world);
    expect(before.value(`slipway_job_duration_seconds_count{${macos}}`)).toBe(1);
    expect(before.value(`buildkite_queues_total_agent_count{cluster="other/Default cluster",queue="default"}`)).toBe(0);
    await agent.call('post', '/disconnect').expect(200);
    await world.perform(world.admin, deleteQueue, { queue: { id: world.queues.macos } });
    const { text } = await Scrape.of(world);
    expect(text).not.toContain('macos');
  });

  test('of many queues all but the oldest are one series', async () => {
    const { organization, clusterId, services } = world;
    await sql`insert into cluster_queues (id, organization_id, cluster_id, key, retry_agent_affinity, created_at)
      select ('f' || lpad(n::text, 7, '0') || '-0000-7000-8000-000000000000')::uuid, ${organization.id}, ${clusterId}, 'q' || n, 'prefer-warmest', now()
      from generate_series(1, 600) as n`.execute(services.db);
    await buildOf(world, `steps: [${[...Array(5).keys()].map((n) => `{command: a, agents: {queue: q${n + 590}}}`)}]`);
    const scrape = await Scrape.of(world);
    const lines = scrape.text.split('\n').filter((line) => line.startsWith('buildkite_queues_scheduled_jobs_count{'));
    expect(lines).toHaveLength(501);
    const counts = scrape.series('buildkite_queues_scheduled_jobs_count');
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(5);
    expect(scrape.value('buildkite_total_scheduled_jobs_count{cluster="other"}')).toBe(5);
  });
});

describe('metrics of what leaves the database', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  });
  afterAll(() => world.close());

  test('say by how much the oldest message and delivery are overdue', async () => {
    const now = world.clock.now();
    const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
    const none = await Scrape.of(world);
    expect(none.value('slipway_outbox_lag_seconds')).toBe(0);
    const { db } = world.services;
    const message = (dueAt: Date) => ({
      id: world.system().newId(),
      organizationId: world.organization.id,
      topic: 'log.compact',
      payload: {},
      availableAt: dueAt,
      createdAt: ago(900),
    });
    const failure = { ...message(ago(800)), failedAt: ago(700) };
    await db
      .insertInto('outbox_messages')
      .values([message(ago(40)), message(ago(90)), message(ago(-60)), failure])
      .execute();
    const delivery = (dueAt: Date, columns: object = {}) => ({
      id: world.system().newId(),
      organizationId: world.organization.id,
      notificationId: world.system().newId(),
      url: 'http://receiver.test',
      receiver: 'r',
      orderKey: 'o',
      sequence: 1,
      state: 'pending' as const,
      nextAttemptAt: dueAt,
      createdAt: ago(900),
      ...columns,
    });
    await db
      .insertInto('notification_deliveries')
      .values([
        delivery(ago(12)),
        delivery(ago(100), { leasedUntilAt: ago(-10) }),
        delivery(ago(200), { state: 'failed' as const }),
      ])
      .execute();
    const scrape = await Scrape.of(world);
    expect(scrape.value('slipway_outbox_lag_seconds')).toBe(90);
    expect(scrape.series('slipway_delivery_lag_seconds')).toEqual({ 'kind="notification"': 12 });
  });

  test('say how many bytes are stored, and how many are free', async () => {
    const folder = `organizations/${world.organization.id}/builds/b/jobs/01989aa0-0000-7000-8000-000000000001/log`;
    const { services } = world;
    await services.storage.put(`${folder}/1`, Buffer.alloc(1_000));
    await services.storage.put(`${folder}/2`, Buffer.alloc(500));
    services.storageSweep = await sweepWholeStorage(services);
    const directory = temporaryDirectory();
    const scrape = await Scrape.of(world, { disk: `${directory.path}/not-there-yet` });
    directory.remove();
    expect(scrape.value('slipway_storage_bytes{kind="logs"}')).toBe(1_500);
    expect(scrape.value('slipway_storage_bytes{kind="artifacts"}')).toBe(0);
    expect(scrape.value('slipway_storage_bytes{kind="database"}')).toBeGreaterThan(1_000_000);
    expect(scrape.value('slipway_disk_free_bytes')).toBeGreaterThan(0);
  });
});

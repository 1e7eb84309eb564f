import type { Express } from 'express';
import { sql } from 'kysely';
import { AgentTimeCount } from '../../src/background/agents/agent-time-count.js';
import { InsightFold } from '../../src/background/builds/insights/insight-fold.js';
import { tasks } from '../../src/background/tasks.js';
import type { Insight } from '../../src/domain/builds/insights/insight.js';
import { rollupSpans } from '../../src/domain/builds/insights/rollup.js';
import { deleteCluster } from '../../src/operations/agents/clusters/delete.js';
import { deleteQueue } from '../../src/operations/agents/queues/delete.js';
import { getInsights } from '../../src/operations/organizations/get-insights.js';
import { runUntilIdle } from '../support/run-until-idle.js';
import { agentApp, buildOf, ScriptedAgent } from '../support/scripted-agent.js';
import { World } from '../support/world.js';

const day = 24 * 3600;

describe('the time of agents', () => {
  let world: World;
  let app: Express;
  let from: Date;
  const count = new AgentTimeCount();
  let listening = tasks().filter(({ name }) => name === 'lost-agents');

  beforeEach(async () => {
    world = await World.create();
    app = agentApp(world);
    from = new Date(Math.floor(world.clock.now().getTime() / (day * 1000)) * day * 1000);
    listening = tasks().filter(({ name }) => name === 'lost-agents');
  });
  afterEach(() => world.close());

  /** Time passes, in which the server listens and the agents that are there say so. */
  async function during(seconds: number, ...agents: ScriptedAgent[]): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 9) {
      world.clock.advance(9);
      for (const agent of agents) await agent.call('post', '/heartbeat').send({}).expect(200);
      for (const task of listening) await task.run(world.services, new AbortController().signal);
    }
  }

  const pass = async () => {
    while (await count.round(world.services));
  };
  const insights = (question: object): Promise<Insight[]> =>
    world.perform(world.admin, getInsights, { organization: { id: world.organization.id }, from, ...question });
  const figures = async (question: object) =>
    (await insights(question)).flatMap(({ key, builds, agentsConnectedSeconds, agentsBusyShare }) =>
      agentsConnectedSeconds === null ? [] : [[key, builds, agentsConnectedSeconds, agentsBusyShare]],
    );
  const connected = async () => (await figures({ by: 'queue' })).map(([key, , seconds]) => [key, seconds]);
  const connect = (queue = 'default') =>
    ScriptedAgent.connected(app, world.agentToken, { meta_data: [`queue=${queue}`] });
  const stateOf = async ({ id }: ScriptedAgent) =>
    (await world.services.db.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
      .connectionState;

  test('that are connected, run jobs and say goodbye, by queue, hour and day', async () => {
    world.clock.set(new Date('2026-01-02T03:58:00Z'));
    const agent = await connect();
    const idle = await connect('macos');
    await during(90, agent, idle);
    await pass();
    const { first } = await buildOf(world, 'steps: [{ command: make }]');
    await agent.takeJob();
    await during(45, agent, idle);
    await pass();
    // In the middle of a job.
    expect(await figures({ by: 'queue' })).toEqual([
      ['default', 0, 135, 0.3333],
      ['macos', 0, 135, 0],
    ]);
    await during(90, agent, idle);
    await agent.finish(first.id).expect(200);
    await runUntilIdle(world.services);
    await during(45, agent, idle);
    await pass();
    expect(await figures({ by: 'queue' })).toEqual([
      ['default', 1, 270, 0.5],
      ['macos', 0, 270, 0],
    ]);
    // The job began at 03:59:30 and ended at 04:01:45.
    expect(await figures({ by: 'hour', queue: 'default' })).toEqual([
      ['2026-01-02T03:00:00Z', 1, 120, 0.25],
      ['2026-01-02T04:00:00Z', 0, 150, 0.7],
    ]);
    expect(await figures({ by: 'day' })).toEqual([['2026-01-02', 1, 540, 0.25]]);
    // Hours with a part between the times, whole.
    const to = new Date(world.clock.now().getTime() - 60_000);
    const late = new Date(to.getTime() - 1_000);
    expect(await figures({ by: 'queue', queue: 'default', from: late, to })).toEqual([['default', 0, 150, 0.7]]);
    expect(await figures({ by: 'queue', queue: 'Default cluster/macos' })).toEqual([['macos', 0, 270, 0]]);
    for (const question of [{ by: 'pipeline' }, { by: 'queue', branch: 'main' }, { by: 'day', branch: 'main' }])
      expect(await figures(question)).toEqual([]);
    // Between two passes: one says goodbye, and one came and went.
    await during(18, idle, agent);
    world.clock.advance(5);
    await idle.call('post', '/disconnect').expect(200);
    const short = await connect('macos');
    world.clock.advance(7);
    await short.call('post', '/disconnect').expect(200);
    await pass();
    await pass();
    // One that was counted less than half a minute ago is left for the next pass.
    expect(await connected()).toEqual([
      ['default', 270],
      ['macos', 270 + 23 + 7],
    ]);
  });

  test('is none while an agent is lost, or nobody listens', async () => {
    const agent = await connect();
    await during(90, agent);
    await pass();
    await during(9, agent);
    await during(270);
    expect(await stateOf(agent)).toBe('lost');
    await pass();
    expect(await connected()).toEqual([['default', 99]]);
    await during(900);
    await pass();
    expect(await connected()).toEqual([['default', 99]]);
    // It was only cut off.
    await during(90, agent);
    expect(await stateOf(agent)).toBe('connected');
    await pass();
    expect(await connected()).toEqual([['default', 99 + 81]]);
    // The server stands still for three days, and the agent goes on as if nothing were.
    world.clock.advance(3 * day);
    await during(36, agent);
    await pass();
    const [[, seconds] = []] = await connected();
    expect(Number(seconds) - 180).toBeGreaterThanOrEqual(27);
    expect(Number(seconds) - 180).toBeLessThanOrEqual(36 + 24);
    // A clock that is wrong for a while, and set right.
    const before = Number(seconds);
    for (const jump of [400 * day, -400 * day]) {
      world.clock.jump(jump);
      await during(45, agent);
      await pass();
    }
    const { rows } = await sql<{ least: number; all: number }>`
      select min(busy_ms)::float8 as least, sum(connected_ms)::float8 / 1000 as all from agent_time_rollups
      where span = 'month'`.execute(world.services.db);
    expect(rows[0]?.least).toBe(0);
    expect((rows[0]?.all ?? 0) - before).toBeLessThanOrEqual(90 + 24);
    // Lost for good, and then connected anew by the same session.
    const now = (await connected())[0]?.[1];
    await during(450);
    await pass();
    await agent.call('post', '/connect').expect(200);
    await during(45, agent);
    await pass();
    expect(Number((await connected())[0]?.[1]) - Number(now)).toBe(45);
  });

  test('is counted once, by however many replicas, and whatever ends between', async () => {
    const agents = [await connect(), await connect(), await connect('macos')];
    const replicas = Array.from({ length: 4 }, () => new AgentTimeCount());
    for (let minute = 0; minute < 3; minute += 1) {
      await during(54, ...agents);
      await Promise.all(replicas.map((replica) => replica.round(world.services)));
    }
    expect(await connected()).toEqual([
      ['default', 324],
      ['macos', 162],
    ]);
    // A transaction that does not commit leaves neither the sums nor that they are counted.
    await during(54, ...agents);
    await world.services.db
      .transaction()
      .execute(async (trx) => {
        await new AgentTimeCount().round({ ...world.services, db: trx });
        throw new Error('killed');
      })
      .catch(() => undefined);
    expect(await connected()).toEqual([
      ['default', 324],
      ['macos', 162],
    ]);
    await pass();
    expect(await connected()).toEqual([
      ['default', 432],
      ['macos', 216],
    ]);
    const { rows } = await sql<{ span: string; all: number }>`
      select span, sum(connected_ms)::float8 as all from agent_time_rollups group by 1 order by 1`.execute(
      world.services.db,
    );
    expect(rows).toEqual([...rollupSpans].sort().map((span) => ({ span, all: 648_000 })));
  });

  test('that connected through a former release is counted from the first pass on', async () => {
    const agent = await connect();
    await during(90, agent);
    await world.services.db.updateTable('agents').set({ uncountedSinceAt: null, uncountedSinceMs: null }).execute();
    await pass();
    expect(await connected()).toEqual([]);
    await during(45, agent);
    await pass();
    expect(await connected()).toEqual([['default', 45]]);
  });

  test('is kept as long as other rollups, and goes with its queue and cluster', async () => {
    const other = await world.insert('clusters', { organizationId: world.organization.id, name: 'Other' });
    const inOther = await world.insert('cluster_queues', {
      organizationId: world.organization.id,
      clusterId: other,
      key: 'default',
    });
    const agents = [await connect(), await connect('macos'), await connect()];
    await world.services.db
      .updateTable('agents')
      .set({ clusterId: other, clusterQueueId: inOther })
      .where('id', '=', agents[2]?.id ?? '')
      .execute();
    await during(90, ...agents);
    await pass();
    expect(await connected()).toEqual([
      ['Default cluster/default', 90],
      ['Other/default', 90],
      ['macos', 90],
    ]);
    for (const agent of agents) await agent.call('post', '/disconnect').expect(200);
    await pass();
    await world.perform(world.admin, deleteQueue, { queue: { id: world.queues.macos } });
    await world.perform(world.admin, deleteCluster, { cluster: { id: other } });
    await runUntilIdle(world.services);
    expect(await connected()).toEqual([['default', 90]]);
    const rows = async () =>
      (await world.services.db.selectFrom('agent_time_rollups').select('span').orderBy('span').execute()).map(
        ({ span }) => span,
      );
    expect(await rows()).toEqual(['day', 'hour', 'month']);
    const after = async (days: number) => {
      world.clock.advance(days * day);
      while (await new InsightFold().round(world.services, undefined, { agesCount: true }));
      return rows();
    };
    expect(await after(102)).toEqual(['day', 'month']);
    expect(await after(700)).toEqual(['month']);
    expect(await figures({ by: 'queue', from: new Date('2026-01-01T00:00:00Z') })).toEqual([['default', 0, 90, 0]]);
    expect(await after(3000)).toEqual([]);
  });
});

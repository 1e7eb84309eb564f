import type { Express } from 'express';
import { loseSilentAgents } from '../../../src/background/agents/lose-silent-agents.js';
import { Listening } from '../../../src/background/listening.js';
import { agentApp, buildOf, dispatchOf, ScriptedAgent } from '../../support/scripted-agent.js';
import { StatementGauge } from '../../support/statement-gauge.js';
import { World } from '../../support/world.js';

/** Statements that a ping or heartbeat alone takes. */
const alone = 1;

describe('agents that poll while there is nothing to do', () => {
  let world: World;
  let app: Express;
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
  });
  afterEach(() => world.services.db.updateTable('jobs').set({ state: 'canceled' }).execute());
  afterAll(async () => {
    await dispatchOf(world).stop();
    await world.close();
  });

  const connected = (fields: object = {}) => ScriptedAgent.connected(app, world.agentToken, fields as never);
  const row = (agent: ScriptedAgent) =>
    world.services.db.selectFrom('agents').selectAll().where('id', '=', agent.id).executeTakeFirstOrThrow();

  test('a ping takes one statement, a heartbeat takes one', async () => {
    const agent = await connected();
    const ping = await StatementGauge.during(world.services, () => agent.ping());
    expect(ping.sent).toBe(alone);
    const beat = await StatementGauge.during(world.services, () =>
      agent.call('post', '/heartbeat').send({}).expect(200),
    );
    expect(beat.sent).toBe(alone);
  });

  test('pings that come while a statement is under way share the next one', async () => {
    const agents = await Promise.all(Array.from({ length: 12 }, () => connected()));
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const gauge = await StatementGauge.during(world.services, async (statements) => {
      statements.before = async (number) => {
        if (number === 1) await held;
      };
      const first = agents[0]?.ping();
      await vi.waitFor(() => expect(statements.sent).toBe(1));
      const others = agents.slice(1).map((agent) => agent.ping());
      const asked = others.length;
      await vi.waitFor(() => expect(dispatchOf(world).counts().waitingReads).toBe(asked));
      release();
      expect(await Promise.all([first, ...others])).toEqual(agents.map(() => ({})));
    });
    expect(gauge.sent).toBe(2);
  });

  test('jobs that no agent of the queue may take are looked at once for all pings of a second', async () => {
    await buildOf(world, 'steps: [{ command: "true", agents: { os: plan9 } }]');
    const agents = await Promise.all([1, 2, 3].map(() => connected()));
    const gauge = await StatementGauge.during(world.services, async () => {
      for (const agent of agents) expect(await agent.ping()).toEqual({});
    });
    expect(gauge.sent).toBe(agents.length * alone + 1);
  });

  test('a job that becomes ready is found by the next ping, whatever was looked at before', async () => {
    await buildOf(world, 'steps: [{ command: "true", agents: { os: plan9 } }]');
    const agent = await connected();
    expect(await agent.ping()).toEqual({});
    const { first } = await buildOf(world, 'steps: [{ command: "true" }]');
    expect(await agent.ping()).toEqual({ job: { id: first.id, state: 'assigned' } });
  });

  test('when agents asked is stored for all of them at once, as a sign of life where the last one is old', async () => {
    const agents = await Promise.all([connected(), connected()]);
    const before = world.clock.now();
    world.clock.advance(20);
    for (const agent of agents) await agent.ping();
    expect((await row(agents[0] as ScriptedAgent)).pingedAt).toBeNull();
    await dispatchOf(world).lastSeen.settle();
    for (const agent of agents)
      expect(await row(agent)).toMatchObject({ pingedAt: world.clock.now(), heartbeatAt: world.clock.now() });
    world.clock.advance(2);
    await agents[0]?.ping();
    await dispatchOf(world).lastSeen.settle();
    expect(await row(agents[0] as ScriptedAgent)).toMatchObject({
      pingedAt: world.clock.now(),
      heartbeatAt: new Date(before.getTime() + 20_000),
    });
  });

  test('a ping that is stored late counts from when it came, and an old one is no sign of life', async () => {
    const agents = (await Promise.all([connected(), connected()])) as [ScriptedAgent, ScriptedAgent];
    const listening = new Listening();
    await listening.look(world.services);
    const listen = async (seconds: number) => {
      for (let passed = 0; passed < seconds; passed += 5) {
        world.clock.advance(5);
        await listening.look(world.services);
      }
    };
    await listen(20);
    await agents[0].ping();
    const asked = world.clock.now();
    const connectedAt = (await row(agents[1])).heartbeatAt;
    const heard = (await row(agents[0])).heardMs + 20_000;
    await listen(5);
    await dispatchOf(world).lastSeen.settle();
    expect(await row(agents[0])).toMatchObject({ pingedAt: asked, heartbeatAt: asked, heardMs: heard });

    await agents[1].ping();
    await listen(190);
    await dispatchOf(world).lastSeen.settle();
    expect(await row(agents[1])).toMatchObject({ heartbeatAt: connectedAt });
    await loseSilentAgents(world.services);
    expect((await Promise.all(agents.map(row))).map((agent) => agent.connectionState)).toEqual(['lost', 'lost']);
  });

  test('an agent of lower priority leaves a fresh job to one that asked a moment ago', async () => {
    const high = await connected({ priority: '5' });
    const low = await connected({ priority: '1' });
    expect(await high.ping()).toEqual({});
    const { first } = await buildOf(world, 'steps: [{ command: "true" }]');
    expect(await low.ping()).toEqual({});
    expect(await high.ping()).toMatchObject({ job: { id: first.id } });
  });

  test('pings and heartbeats without a valid session are refused as ever', async () => {
    const agent = await connected();
    await agent.call('get', '/ping', 'bkaa_unknown').expect(401, { message: 'The agent token is not valid' });
    await agent.call('post', '/heartbeat', 'bkaa_unknown').expect(401, { message: 'The agent token is not valid' });
    await agent.call('get', '/ping', world.agentToken).expect(403);
  });
});

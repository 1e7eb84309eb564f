import type { Express } from 'express';
import { agentApp, buildOf, jobNow, ScriptedAgent } from '../../support/scripted-agent.js';
import { World } from '../../support/world.js';

describe('the dispatch of jobs to agents', () => {
  let world: World;
  let app: Express;
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
  });
  afterAll(() => world.close());
  afterEach(async () => {
    await world.services.db
      .updateTable('jobs')
      .set({ state: 'canceled', deadlineAt: null })
      .where('type', '=', 'command')
      .execute();
    await world.services.db.updateTable('agents').set({ connectionState: 'disconnected' }).execute();
    world.clock.advance(60);
  });

  const connected = (fields: object = {}) => ScriptedAgent.connected(app, world.agentToken, fields as never);
  const offered = async (agent: ScriptedAgent) => (await agent.ping()).job?.id;

  test('jobs with higher priority are offered first, then older ones, then in the order of the pipeline', async () => {
    const one = await buildOf(world, 'steps: [{ command: "a" }, { command: "b" }]');
    world.clock.advance(1);
    const two = await buildOf(world, 'steps: [{ command: "c", priority: 1 }, { command: "d", priority: -1 }]');
    const order = [two.jobs[0], one.jobs[0], one.jobs[1], two.jobs[1]].map((job) => job!.id);
    for (const expected of order) {
      const agent = await connected();
      expect(await offered(agent)).toBe(expected);
    }
    expect(await offered(await connected())).toBeUndefined();
  });

  test.each<[string, string[], string, boolean]>([
    ['no rule', ['os=linux'], '{}', true],
    ["the agent's tag", ['os=linux'], '{ os: linux }', true],
    ['another value', ['os=linux'], '{ os: mac }', false],
    ['a tag the agent lacks', [], '{ os: linux }', false],
    ['any value', ['os=linux'], '{ os: "*" }', true],
    ['any value of a tag the agent lacks', [], '{ os: "*" }', false],
    ['two rules of which one is not met', ['os=linux'], '{ os: linux, gpu: "1" }', false],
    ['one of several values', ['gpu=1', 'gpu=2'], '{ gpu: "2" }', true],
    ['another queue', [], '{ queue: macos }', false],
    ["the agent's queue by name", [], '{ queue: default }', true],
  ])('a job is offered only to an agent whose tags satisfy its rules: %s', async (_what, tags, rules, taken) => {
    const { first } = await buildOf(world, `steps: [{ command: "a", agents: ${rules} }]`);
    expect(await offered(await connected({ meta_data: tags }))).toBe(taken ? first.id : undefined);
  });

  test('an agent holds at most one job, however often it pings', async () => {
    await buildOf(world, 'steps: [{ command: "a" }, { command: "b" }]');
    const agent = await connected();
    const answers = await Promise.all([agent.ping(), agent.ping(), agent.ping()]);
    expect(new Set(answers.map((answer) => answer.job?.id).filter(Boolean)).size).toBe(1);
  });

  test('a paused queue offers no jobs until it is resumed', async () => {
    const { first } = await buildOf(world, 'steps: [{ command: "a" }]');
    const agent = await connected();
    await world.services.db
      .updateTable('cluster_queues')
      .set({ dispatchPausedAt: world.clock.now() })
      .where('id', '=', world.queues.default)
      .execute();
    expect(await offered(agent)).toBeUndefined();
    await world.services.db.updateTable('cluster_queues').set({ dispatchPausedAt: null }).execute();
    expect(await offered(agent)).toBe(first.id);
  });

  test('agents that are not connected or ignore dispatches are offered no job', async () => {
    await buildOf(world, 'steps: [{ command: "a" }]');
    const registered = new ScriptedAgent(app, world.agentToken);
    await registered.register();
    expect(await registered.ping()).toEqual({});
    expect(await (await connected({ ignore_in_dispatches: true })).ping()).toEqual({});
  });

  test('a job waits two ping intervals for an idle agent of higher priority before another agent gets it', async () => {
    const strong = await connected({ priority: '5' });
    const weak = await connected();
    expect(await offered(strong)).toBeUndefined();
    const { jobs } = await buildOf(world, 'steps: [{ command: "a" }, { command: "b" }]');
    // One is left to the strong agent, the other is not: it can take but one.
    const second = await offered(weak);
    expect(second).toBe(jobs[1]!.id);
    const third = await connected();
    expect(await offered(third)).toBeUndefined();
    world.clock.advance(4);
    expect(await offered(third)).toBe(jobs[0]!.id);
  });

  test('a job is never reserved for an agent that could not run it', async () => {
    const busy = await connected({ priority: '5' });
    const tagged = await connected({ priority: '5', meta_data: ['queue=macos'] });
    await buildOf(world, 'steps: [{ command: "a" }]');
    expect(await offered(busy)).toBeDefined();
    await tagged.ping();
    const { first } = await buildOf(world, 'steps: [{ command: "b" }]');
    expect(await offered(await connected())).toBe(first.id);
  });

  test('with prefer-different a retried job is left to an agent that did not run it before', async () => {
    await world.services.db
      .updateTable('cluster_queues')
      .set({ retryAgentAffinity: 'prefer-different' })
      .where('id', '=', world.queues.default)
      .execute();
    const { first } = await buildOf(world, 'steps: [{ command: "a", retry: { automatic: true } }]');
    const [same, different] = [await connected({ priority: '9' }), await connected()];
    expect(await same.takeJob()).toBe(first.id);
    await different.ping();
    await same.finish(first.id, { exit_status: '1' }).expect(200);
    expect(await same.ping()).toEqual({});
    const retry = await offered(different);
    expect((await jobNow(world, retry!)).retrySourceId).toBe(first.id);
    await world.services.db.updateTable('cluster_queues').set({ retryAgentAffinity: 'prefer-warmest' }).execute();
  });
});

import type { Express } from 'express';
import type { Services } from '../../src/services/services.js';
import { tasks } from '../../src/background/tasks.js';
import { agentApp, buildOf, jobNow, ScriptedAgent } from '../support/scripted-agent.js';
import { World } from '../support/world.js';

const oneCommand = 'steps: [{ command: "true" }]';

/**
 * The background work of one process that has to do with deadlines, a round every few seconds; it stops by being left
 * alone.
 */
class Replica {
  private readonly work = tasks().filter(({ name }) => ['lost-agents', 'deadlines'].includes(name));

  constructor(private readonly world: World) {}

  async round(services: Services = this.world.services): Promise<void> {
    for (const task of this.work) await task.run(services, new AbortController().signal);
  }

  async during(seconds: number, each: () => Promise<unknown> = async () => undefined): Promise<void> {
    for (let passed = 0; passed < seconds; passed += stepOf(seconds)) {
      this.world.clock.advance(stepOf(seconds));
      await each();
      await this.round();
    }
  }
}

/** As long as the steps may be without counting as an interruption, where the second does not matter. */
const stepOf = (seconds: number) => (seconds % 9 === 0 ? 9 : 3);

describe('the silence of an agent', () => {
  let world: World;
  let app: Express;
  let replica: Replica;
  let agent: ScriptedAgent;
  let jobId: string;

  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.services.db
      .updateTable('jobs')
      .set({ state: 'canceled', deadlineAt: null })
      .where('type', '=', 'command')
      .execute();
    await world.services.db.updateTable('agents').set({ connectionState: 'disconnected' }).execute();
    replica = new Replica(world);
    await replica.round();
    const { first } = await buildOf(world, 'steps: [{ command: "true", timeout_in_minutes: 8 }]');
    jobId = first.id;
    agent = await ScriptedAgent.connected(app, world.agentToken);
    await replica.during(18);
    await agent.takeJob();
    await heartbeat();
  });

  const heartbeat = () => agent.call('post', '/heartbeat').send({}).expect(200);
  const stateOf = async (id = jobId) => (await jobNow(world, id)).state;
  const isLost = async () =>
    (
      await world.services.db
        .selectFrom('agents')
        .select('connectionState')
        .where('id', '=', agent.id)
        .executeTakeFirstOrThrow()
    ).connectionState === 'lost';
  /** Seconds until the agent is lost, at most `limit`; before `from`, in which it is not to be, in long steps. */
  const lostAfter = async (from: number, limit: number, running: Replica = replica) => {
    await running.during(from);
    for (let passed = from; passed < limit; passed += 3) {
      if (await isLost()) return passed;
      await running.during(3);
    }
    return limit;
  };

  test('in ordinary operation a silent agent is lost after three minutes and at most ten seconds more (I6)', async () => {
    const seconds = await lostAfter(171, 300);
    expect(seconds).toBeGreaterThanOrEqual(180);
    expect(seconds).toBeLessThanOrEqual(190);
    expect(await jobNow(world, jobId)).toMatchObject({ state: 'finished', exitStatus: -1 });
  });

  test.each([
    ['the server is stopped and another one started', () => new Replica(world)],
    ['the process is frozen', () => replica],
  ])('an outage of five minutes ends no job (%s)', async (_how, after) => {
    await replica.during(63);
    world.clock.advance(300);
    const next = after();
    await next.round();
    await next.during(36);
    expect([await stateOf(), await isLost()]).toEqual(['running', false]);
    await heartbeat();
    await next.during(63);
    expect(await stateOf()).toBe('running');
    expect(await lostAfter(90, 200, next)).toBeLessThanOrEqual(130);
  });

  test('an outage of the database ends no job', async () => {
    const down = {
      ...world.services,
      db: new Proxy(world.services.db, {
        get: () => () => {
          throw new Error('the database is down');
        },
      }),
    };
    for (let passed = 0; passed < 297; passed += 9) {
      world.clock.advance(9);
      await expect(replica.round(down)).rejects.toThrow();
    }
    await replica.round();
    await replica.during(63);
    expect([await stateOf(), await isLost()]).toEqual(['running', false]);
  });

  test.each([[600], [-600], [86_400 * 400]])(
    "a clock jump of %d seconds ends no job, and the job's timeout still comes after its minutes have passed",
    async (seconds) => {
      let rounds = 0;
      /** A sign of life each minute: an agent is lost after three. */
      const alive = async () => {
        rounds += 1;
        if (rounds % 7 === 0) await heartbeat();
      };
      await replica.during(63, alive);
      world.clock.jump(seconds);
      await replica.during(297, alive);
      expect([await stateOf(), await isLost()]).toEqual(['running', false]);
      await replica.during(144, alive);
      expect(await stateOf()).not.toBe('running');
    },
  );

  test('two replicas that see the same clock jump move deadlines once', async () => {
    const other = new Replica(world);
    await other.round();
    await replica.during(27, () => other.round());
    const before = (await jobNow(world, jobId)).deadlineAt!;
    world.clock.jump(600);
    await replica.round();
    await other.round();
    expect((await jobNow(world, jobId)).deadlineAt!.getTime() - before.getTime()).toBe(600_000);
  });

  test("replicas that start and stop while one listens do not extend a lost agent's time", async () => {
    let passed = 0;
    while (!(await isLost()) && passed < 300) {
      const short = new Replica(world);
      await short.round();
      await replica.during(18, () => short.round());
      passed += 18;
    }
    expect(passed).toBeLessThanOrEqual(198);
  });

  test("a restart of seconds does not extend a lost agent's time", async () => {
    await replica.during(90);
    world.clock.advance(6);
    const next = new Replica(world);
    await next.round();
    expect(await lostAfter(81, 300, next)).toBeLessThanOrEqual(105);
  });

  test('an agent that accepted a job before an outage may start it afterwards, because offers and acceptances expire a minute later', async () => {
    const waiting = (await buildOf(world, oneCommand)).first.id;
    const holder = await ScriptedAgent.connected(app, world.agentToken);
    await holder.ping();
    await holder.accept(waiting);
    world.clock.advance(240);
    const next = new Replica(world);
    await next.round();
    await next.during(36);
    expect(await stateOf(waiting)).toBe('accepted');
    await holder.start(waiting).expect(200);
    await next.during(63);
    expect(await stateOf(waiting)).toBe('running');
  });
});
